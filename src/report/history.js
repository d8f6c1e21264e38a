/* Many nights: each figure over them. */
document.body.className = 'words';
const all = data, nights = all.nights, alarms = ['regression', 'failed'];
const day = night => night.started_at.slice(0, 16).replace('T', ' ');
const percent = change => {
  const text = (100 * change).toFixed(1);
  return (/[1-9]/.test(text) ? (change > 0 ? '+' : '') + text : '0.0') + ' %';
};
const named = its => (its.measurement ? its.measurement + ': ' : '') + its.figure;
const wide = text => ({text, style: 'wide'}); /* a column of sentences */
/* Of a long text the beginning, and the rest when it is asked for: rows stay low. */
const folded = (text, style) => cell => {
  if (style) cell.className = style;
  if (text.length <= 160) return cell.append(text);
  const its = add(cell, 'details');
  add(its, 'summary', text.slice(0, 140) + ' …');
  its.append(text);
};

/* Vertical lines at the first nights of new levels, and bars for the intervals. */
const marks = {
  id: 'marks',
  beforeDatasetsDraw(made, args, options) {
    const {ctx, chartArea: area, scales: {x, y}} = made;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.width, area.height);
    ctx.clip();
    options.changes.forEach(change => {
      const at = x.getPixelForValue(change.night - .5);
      ctx.strokeStyle = ctx.fillStyle = change.better ? better : worse;
      ctx.setLineDash([5, 3]);
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      ctx.moveTo(at, area.top);
      ctx.lineTo(at, area.bottom);
      ctx.stroke();
      ctx.font = '12px system-ui, sans-serif';
      const right = at > (area.left + area.right) / 2;
      ctx.textAlign = right ? 'right' : 'left';
      ctx.fillText(percent(change.change) + (change.differs ? ' *' : ''), at + (right ? -4 : 4), area.top + 12);
    });
    ctx.setLineDash([]);
    ctx.strokeStyle = grey;
    ctx.lineWidth = 1;
    if (options.points.length <= 200)
      options.points.forEach(point => {
        const at = x.getPixelForValue(point[0]);
        ctx.beginPath();
        ctx.moveTo(at, y.getPixelForValue(point[2]));
        ctx.lineTo(at, y.getPixelForValue(point[3]));
        ctx.stroke();
      });
    ctx.restore();
  }
};

function draw(parent, series) {
  const changes =
      all.changes.filter(change => change.measurement === series.measurement && change.figure === series.figure);
  add(parent, 'h3', named(series) + (series.simulated ? ', simulated' : ''));
  const flagged = series.points.map(point => point[4]), few = series.points.length <= 200;
  const sets = [{
    label: 'measured',
    data: series.points.map(point => ({x: point[0], y: point[1]})),
    borderColor: colours[0],
    borderWidth: 1.2,
    showLine: true,
    pointRadius: flagged.map(
        bad => bad ? 5 :
            few    ? 3 :
                     1),
    pointBackgroundColor: flagged.map(bad => bad ? worse : colours[0]),
    pointBorderColor: flagged.map(bad => bad ? worse : colours[0])
  }];
  if (series.points.some(point => point.length > 5))
    sets.push({
      label: 'reference',
      data: series.points.map(point => ({x: point[0], y: point[5]})),
      borderColor: grey,
      backgroundColor: grey,
      borderWidth: 1,
      showLine: true,
      pointRadius: few ? 2 : 0
    });
  const ends = [...series.points.map(point => point[2]), ...series.points.map(point => point[3])];
  const low = least(ends), high = most(ends), room = (high - low || high) * .08;
  chart(parent, {
    type: 'scatter',
    data: {datasets: sets},
    plugins: [marks],
    options: {
      plugins: {
        legend: {display: sets.length > 1, labels: {color: grey}},
        marks: {changes, points: series.points},
        tooltip: {
          callbacks: {
            label: item => day(nights[item.parsed.x]) + ': ' + Number(item.parsed.y.toPrecision(4)).toLocaleString('en')
          }
        }
      },
      scales: {
        x: axis('', {
          min: -.5,
          max: nights.length - .5,
          ticks:
              {color: grey, maxRotation: 0, autoSkip: false, callback: value => nights[value].started_at.slice(0, 10)},
          afterBuildTicks: scale => {
            const step = Math.ceil(nights.length / Math.max(2, Math.floor(scale.width / 90)));
            scale.ticks = nights.map((night, i) => ({value: i})).filter(tick => tick.value % step === 0);
          }
        }),
        y: axis('', {suggestedMin: low - room, suggestedMax: high + room})
      }
    }
  });
}

add(page, 'h1', 'edagen: ' + nights.length + (nights.length === 1 ? ' night' : ' nights'));
const last = nights[nights.length - 1];
add(page, 'p', day(nights[0]) + ' to ' + day(last) + '; the last one: ' + last.summary,
    alarms.includes(last.verdict) ? 'bad' : 'dim');

add(page, 'h2', 'Changes of level');
if (all.changes.length === 0) add(page, 'p', 'No figure changed its level.', 'dim');
else
  table(
      page, ['since', wide('figure'), 'change', 'p', wide('what differs from the night before')],
      all.changes.map(
          change =>
              [day(nights[change.night]), named(change),
               {text: percent(change.change), style: change.better ? 'good' : 'bad'}, change.p.toExponential(1),
               change.differs ? folded(change.differs) : {text: 'nothing that edagen knows of', style: 'dim'}]));

add(page, 'h2', 'Figures');
all.series.filter(series => !series.detail).forEach(series => draw(page, series));
const details = all.series.filter(series => series.detail);
if (details.length > 0) {
  const more = add(page, 'details');
  add(more, 'summary', details.length + (details.length === 1 ? ' figure' : ' figures') + ' of op kinds');
  more.addEventListener('toggle', () => {
    if (more.open && more.childElementCount === 1) details.forEach(series => draw(more, series));
  });
}

if (all.curves.length > 0) add(page, 'h2', 'Curves of the last nights');
[...new Set(all.curves.map(curve => curve.measurement))].forEach(measurement => {
  const curves = all.curves.filter(curve => curve.measurement === measurement);
  add(page, 'h3',
      (measurement ? measurement + ': ' : '') +
          (curves.length === 1 ? 'one night' : 'the last ' + curves.length + ' nights that have results'));
  chart(page, {
    type: 'scatter',
    data: {
      datasets: curves.map((curve, i) => ({
                             label: curve.night.slice(0, 16).replace('T', ' '),
                             data: curve.points.filter(point => point[1] > 0)
                                       .map(point => ({x: point[0], y: point[1]}))
                                       .sort((a, b) => a.x - b.x),
                             borderColor: colours[i % colours.length],
                             backgroundColor: colours[i % colours.length],
                             showLine: true,
                             borderWidth: 1.2,
                             pointRadius: 2
                           }))
    },
    options: {
      plugins: legend(),
      scales: {x: axis('achieved ops/s', {beginAtZero: true}), y: axis('response, ms', {type: 'logarithmic'})}
    }
  });
});

add(page, 'h2', 'Nights');
table(
    page,
    ['night', wide('verdict'), 'edagen', 'kernel', wide('mounts'), wide('changed since the night before'), wide('reports')],
    nights
        .map(
            night =>
                [day(night),
                 folded(
                     night.summary + (night.status === 'complete' ? '' : ' (' + night.status + ')'),
                     alarms.includes(night.verdict)      ? 'bad' :
                         night.verdict === 'improvement' ? 'good' :
                                                           ''),
                 night.version, night.kernel, folded(night.mounts), folded(night.differs, 'bad'),
                 cell => night.reports.forEach((report, i) => {
                   if (i > 0) cell.append(', ');
                   add(cell, 'a', report.name).href = report.file.split('/').map(encodeURIComponent).join('/');
                 })])
        .reverse());
