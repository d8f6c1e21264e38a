/* Draws the blocks of a page in their order (page_blocks.hpp): a member of each names its kind. */
const colourOf = colour =>
    Array.isArray(colour) ? colour.map(colourOf) : ({grey, answered})[colour] ?? colours[colour % colours.length];
/* No rate, latency or share is below 0. */
const scaleOf = scale => scale ? {type: scale} : {min: 0};
/* Axes around several sets of values above 0, which may be far from it. All have one relative range, so that the same change is
   as high in each set, and all begin at 0 or none does. */
const axesAround = sets => {
  const means = sets.map(values => values.reduce((sum, value) => sum + value, 0) / values.length);
  const relative = sets.flatMap((values, i) => values.map(value => value / means[i]));
  const low = least(relative), high = most(relative), room = (high - low || high) * .08;
  return means.map(mean => ({
    min: mean * Math.max(0, low - room),
    max: mean * (high + room),
    ticks: {color: grey, includeBounds: false}
  }));
};
const roomFor = bands => bands.length
  ? {suggestedMin: -most(bands.map(([low]) => -low)), suggestedMax: most(bands.map(([, high]) => high))} : {};

/* A long text is folded, so that rows stay low. */
const folded = ({text, style}) => cell => {
  if (style) cell.className = style;
  if (text.length <= 160) return cell.append(text);
  const details = add(cell, 'details');
  add(details, 'summary', text.slice(0, 140) + ' \u2026');
  details.append(text);
};
const linked = ({links}) => cell => links.forEach((link, i) => {
  if (i) cell.append(', ');
  add(cell, 'a', link.name).href = link.file.split('/').map(encodeURIComponent).join('/');
});

const kinds = {
  h1(parent, block) {
    document.body.className = block.style ?? '';
    add(parent, 'h1', block.h1);
  },
  h2: (parent, block) => add(parent, 'h2', block.h2),
  h3: (parent, block) => add(parent, 'h3', block.h3),
  p: (parent, block) => add(parent, block.style === 'label' ? 'span' : 'p', block.p, block.style),
  verdict(parent, {verdict: [first, others]}) {
    const text = add(parent, 'p', null, 'verdict');
    add(text, 'b', first);
    text.append('\n' + others.split('\n').map(line => line.trim()).join('\n'));
  },
  list(parent, block) {
    const list = add(parent, 'ul');
    block.list.forEach(text => add(list, 'li', text, block.style));
  },
  table: (parent, block) => table(
      parent, block.heads,
      block.table.map(
          row => row.map(
              cell => cell.links ? linked(cell) :
                  cell.fold      ? folded(cell) :
                                   cell)),
      block.style),
  /* Charts cannot be drawn where nothing is shown. */
  details(parent, block) {
    const folded = add(parent, 'details');
    add(folded, 'summary', block.details);
    folded.addEventListener('toggle', () => draw(folded, block.blocks), {once: true});
    folded.open = block.open;
  },
  /* One of several parts, which the reader chooses. */
  choice(parent, block) {
    const select = add(add(parent, 'h2', block.choice), 'select'), body = add(parent, 'div');
    block.options.forEach((text, i) => add(select, 'option', text).value = i);
    select.value = block.chosen;
    const show = () => {
      body.textContent = '';
      draw(body, block.bodies[select.value]);
    };
    select.onchange = show;
    show();
  },
  chart: (parent, block) => charts[block.chart](parent, block)
};
function draw(parent, blocks) {
  blocks.forEach(block => kinds[Object.keys(block).find(key => key in kinds)](parent, block));
}

/* Under what a chart draws: `paint` gets its context, area and scales. */
const under = (id, paint) => ({
  id,
  beforeDatasetsDraw(made) {
    const {ctx, chartArea: area, scales: {x, y}} = made;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    ctx.clip();
    paint(ctx, area, x, y);
    ctx.restore();
  }
});
function line(ctx, colour, points) {
  ctx.strokeStyle = colour;
  ctx.beginPath();
  points.forEach(([x, y], i) => i ? ctx.lineTo(x, y) : ctx.moveTo(x, y));
  ctx.stroke();
}
const vertical = (ctx, colour, x, from, to) => line(ctx, colour, [[x, from], [x, to]]);
const horizontal = (ctx, colour, y, from, to) => line(ctx, colour, [[from, y], [to, y]]);

/* A box that shows the sets of a chart that are drawn on request. */
function shown_on_request(parent, made) {
  const sets = made.data.datasets.flatMap((set, i) => set.on_request ? [i] : []);
  if (!sets.length) return;
  const label = add(parent, 'label', null, 'dim'), box = add(label, 'input');
  box.type = 'checkbox';
  label.append(' show the blocks of the search');
  box.onchange = () => {
    sets.forEach(i => made.setDatasetVisibility(i, box.checked));
    made.update();
  };
}

/* How the sets of a chart of curves look. */
const styles = {
  block: (set, colour, filled) => ({
    pointRadius: 2.5,
    pointBackgroundColor: filled(colour + '55'),
    borderColor: colour + '55',
    backgroundColor: colour + '55'
  }),
  point: (set, colour, filled) => ({
    borderColor: colour,
    backgroundColor: colour,
    pointBackgroundColor: filled(colour),
    borderWidth: 1.5,
    pointBorderWidth: 1.5,
    pointRadius: 5
  }),
  line: (set, colour, filled) => ({...styles.point(set, colour, filled), pointRadius: 4, borderWidth: 2, showLine: true}),
  night: (set, colour, filled) => ({
    borderColor: colour,
    backgroundColor: colour,
    pointBackgroundColor: filled(colour),
    showLine: true,
    borderWidth: 1.2,
    pointRadius: 2
  }),
  answer: (set, colour, filled) => ({
    borderColor: colour,
    backgroundColor: colour,
    pointBackgroundColor: filled(colour),
    pointStyle: 'rectRot',
    pointRadius: 7
  })
};

const charts = {
  bars: (parent, block) => chart(parent, {
    type: 'bar',
    data: {
      labels: block.labels,
      datasets: block.sets.map(set => ({
        label: set.label,
        data: set.data,
        backgroundColor: colourOf(set.colour),
        stack: block.stacked ? 'all' : undefined,
        maxBarThickness: block.stacked ? 60 : undefined
      }))
    },
    options: {plugins: legend(), scales: {x: axis(block.x), y: axis(block.y, {min: 0, stacked: block.stacked})}}
  }),
  /* The first axis is at the left, the others at the right. */
  lines(parent, block) {
    const titles = [...new Set(block.sets.map(set => set.axis))], scales = {x: axis(block.x)};
    titles.forEach((title, i) => scales['y' + i] = axis(title, {
      ...scaleOf(block.scale), ...(i ? {position: 'right', grid: {drawOnChartArea: false}} : {position: 'left'})
    }));
    chart(parent, {
      type: 'line',
      data: {
        labels: block.labels,
        datasets: block.sets.map(set => ({
          label: set.label,
          data: set.data,
          borderColor: colourOf(set.colour),
          backgroundColor: colourOf(set.colour),
          pointBackgroundColor: block.labels.map((of, i) => set.hollow?.[i] ? 'transparent' : colourOf(set.colour)),
          yAxisID: 'y' + titles.indexOf(set.axis),
          borderWidth: set.width,
          pointRadius: set.points
        }))
      },
      options: {plugins: legend(), scales}
    });
  },
  /* Over them the interval of each answer as a band, each target as a line, and error bars. */
  curves: (parent, block) => shown_on_request(parent, chart(parent, {
    type: 'scatter',
    height: block.height,
    data: {
      datasets: block.sets.map(set => ({
        label: set.label,
        minor: set.minor,
        on_request: set.on_request,
        hidden: set.on_request,
        data: set.points.map(([x, y, hollow]) => ({x, y, mark: hollow ? 'invalid or overload' : ''})),
        ...styles[set.style](set, colourOf(set.colour), full => set.points.map(([,, hollow]) => hollow ? 'transparent' : full))
      }))
    },
    plugins: [under('curveMarks', (ctx, area, x, y) => {
      block.bands.forEach(([low, high, colour]) => {
        const from = x.getPixelForValue(low), to = x.getPixelForValue(high);
        ctx.fillStyle = colourOf(colour) + '33';
        ctx.fillRect(from, area.top, Math.max(1, to - from), area.bottom - area.top);
      });
      ctx.font = '12px system-ui, sans-serif';
      ctx.setLineDash([6, 4]);
      ctx.fillStyle = answered;
      block.targets.forEach(([target, text]) => {
        const at = y.getPixelForValue(target);
        horizontal(ctx, answered, at, area.left, area.right);
        ctx.fillText(text, area.left + 6, at - 5);
      });
      ctx.setLineDash([]);
      block.bars.forEach(([rate, ...ends]) => {
        const colour = colourOf(ends.pop()), at = x.getPixelForValue(rate), [from, to] = ends.map(end => y.getPixelForValue(end));
        vertical(ctx, colour, at, from, to);
        [from, to].forEach(end => horizontal(ctx, colour, end, at - 4, at + 4));
      });
      /* Points over the ceiling, as triangles at the upper edge. */
      block.above.forEach(([rate, colour, hollow]) => {
        const at = x.getPixelForValue(rate);
        ctx.fillStyle = hollow ? 'transparent' : colourOf(colour);
        line(ctx, colourOf(colour), [[at, area.top + 1], [at - 6, area.top + 11], [at + 6, area.top + 11], [at, area.top + 1]]);
        ctx.fill();
      });
    })],
    options: {
      plugins: legend({usePointStyle: true}),
      scales: {
        /* Chart.js leaves out what lies over the ceiling. */
        x: axis(block.x, {...scaleOf(block.scale), ...roomFor([...block.bands, ...block.above.map(([rate]) => [rate, rate])])}),
        /* The label of the highest target fits. */
        y: axis(block.y, {
          min: 0,
          max: block.ceiling,
          ...(block.targets.length ? {suggestedMax: 1.5 * most(block.targets.map(([target]) => target))} : {})
        })
      }
    }
  })),
  /* How many ops of each interval took how long, and above it where it stalled. */
  heat: (parent, block) => chart(parent, {
    type: 'scatter',
    data: {
      datasets: [],
      rows: block.intervals.flatMap(
          ([t,, counts]) => counts.flatMap((ops, bin) => ops ? [[ops + ' ops', t, Number(block.edges[bin].toPrecision(3))]] : []))
    },
    plugins: [under('heatMarks', (ctx, area, x, y) => {
      const darkest = Math.log(1 + most(block.intervals.map(([,, counts]) => most([0, ...counts]))));
      ctx.fillStyle = colours[0];
      block.intervals.forEach(([t, seconds, counts]) => counts.forEach((ops, bin) => {
        if (!ops) return;
        const left = x.getPixelForValue(t), right = x.getPixelForValue(t + seconds), top = y.getPixelForValue(block.edges[bin + 1]);
        ctx.globalAlpha = .12 + .88 * Math.log(1 + ops) / darkest;
        ctx.fillRect(left, top, Math.max(1, right - left - (right - left > 6 ? 1 : 0)), y.getPixelForValue(block.edges[bin]) - top);
      }));
      ctx.globalAlpha = 1;
      ctx.fillStyle = worse;
      block.stalls.forEach(([t, seconds]) => {
        const left = x.getPixelForValue(t);
        ctx.fillRect(left, area.top, Math.max(2, x.getPixelForValue(t + seconds) - left), 5);
      });
    })],
    options: {
      plugins: {legend: {display: false}},
      scales: {
        x: axis('seconds', {type: 'linear', min: 0, max: block.end, grid: {display: false}}),
        y: axis('response, ms', {type: 'logarithmic', min: block.edges[block.bins[0]], max: block.edges[block.bins[1]]})
      }
    }
  }),
  /* The line of no change, and a point with its interval for each row. */
  ratios: (parent, block) => chart(parent, {
    type: 'scatter',
    height: 70 + 36 * block.rows.length,
    data: {
      datasets: block.rows.map((row, i) => ({
        label: row.label,
        data: [{x: row.at, y: i}],
        borderColor: colourOf(i),
        backgroundColor: colourOf(i),
        pointRadius: 6
      }))
    },
    plugins: [under('ratioMarks', (ctx, area, x, y) => {
      ctx.setLineDash([6, 4]);
      vertical(ctx, grey, x.getPixelForValue(block.none), area.top, area.bottom);
      ctx.setLineDash([]);
      ctx.lineWidth = 2;
      block.rows.forEach((row, i) => {
        const at = y.getPixelForValue(i), ends = row.interval.map(end => x.getPixelForValue(end));
        ends.forEach(end => vertical(ctx, colourOf(i), end, at - 6, at + 6));
        line(ctx, colourOf(i), ends.map(end => [end, at]));
      });
    })],
    options: {
      plugins: {legend: {display: false}},
      scales: {
        x: axis(block.x, {...(block.scale ? {type: block.scale} : {}), suggestedMin: block.range[0], suggestedMax: block.range[1]}),
        y: axis('', {
          min: -.5,
          max: block.rows.length - .5,
          reverse: true,
          grid: {display: false},
          ticks: {color: grey, autoSkip: false, callback: at => shortened_text(block.rows[at]?.label ?? '', 36)},
          afterBuildTicks: scale => scale.ticks = block.rows.map((row, i) => ({value: i}))
        })
      }
    }
  }),
  /* A figure of each night with its interval, invalid ones hollow, and vertical lines at the first nights of new levels. A
     reference has its own axis, with the same relative range: it may be another kind of volume. */
  nights(parent, block) {
    const days = new Set(block.nights.map(night => night.slice(0, 10))), one_a_day = days.size === block.nights.length;
    const few = block.points.length <= 200, flagged = block.points.map(point => point[4]), hollow = block.points.map(point => point[5]),
          bounds = block.points.flatMap(([,, low, high]) => [low, high]), references = block.references.map(([, value]) => value),
          [own, of_reference] = axesAround(references.length ? [bounds, references] : [bounds]),
          columns = one_a_day || block.nights[0].length < 17 ? 90 : 110; /* of a label; seconds are longer */
    const sets = [{
      label: 'measured',
      data: block.points.map(([x, y], i) => ({x, y, mark: hollow[i] ? 'invalid' : ''})),
      borderColor: colours[0],
      borderWidth: 1.2,
      showLine: true,
      pointRadius: flagged.map((bad, i) => bad ? 5 : few || hollow[i] ? 3 : 1),
      pointBackgroundColor: flagged.map((bad, i) => hollow[i] ? 'transparent' : bad ? worse : colours[0]),
      pointBorderColor: flagged.map(bad => bad ? worse : colours[0])
    }];
    if (block.references.length)
      sets.push({
        label: 'reference (right axis)',
        data: block.references.map(([x, y]) => ({x, y})),
        yAxisID: 'yReference',
        borderColor: grey,
        backgroundColor: grey,
        borderWidth: 1,
        showLine: true,
        pointRadius: few ? 2 : 0
      });
    chart(parent, {
      type: 'scatter',
      data: {datasets: sets},
      plugins: [under('nightMarks', (ctx, area, x, y) => {
        ctx.setLineDash([5, 3]);
        ctx.lineWidth = 1.5;
        ctx.font = '12px system-ui, sans-serif';
        block.marks.forEach(([night, text, isBetter]) => {
          const at = x.getPixelForValue(night - .5), right = at > (area.left + area.right) / 2;
          ctx.fillStyle = isBetter ? better : worse;
          vertical(ctx, ctx.fillStyle, at, area.top, area.bottom);
          ctx.textAlign = right ? 'right' : 'left';
          ctx.fillText(text, at + (right ? -4 : 4), area.top + 12);
        });
        ctx.setLineDash([]);
        ctx.lineWidth = 1;
        if (few) block.points.forEach(([night,, from, to]) => vertical(ctx, grey, x.getPixelForValue(night), y.getPixelForValue(from), y.getPixelForValue(to)));
      })],
      options: {
        plugins: {
          legend: {display: sets.length > 1, labels: {color: grey}},
          tooltip: {callbacks: {label: item => block.nights[item.parsed.x] + ': ' + Number(item.parsed.y.toPrecision(4)).toLocaleString('en')}}
        },
        scales: {
          x: axis('', {
            min: -.5,
            max: block.nights.length - .5,
            ticks: {color: grey, maxRotation: 0, autoSkip: false, callback: at => one_a_day ? block.nights[at].slice(0, 10) : block.nights[at].slice(5)},
            afterBuildTicks: scale => {
              const step = Math.ceil(block.nights.length / Math.max(2, Math.floor(scale.width / columns)));
              scale.ticks = block.nights.map((night, i) => ({value: i})).filter(tick => tick.value % step === 0);
            }
          }),
          y: axis('', own),
          ...(of_reference ? {yReference: axis('reference', {position: 'right', grid: {drawOnChartArea: false}, ...of_reference})} : {})
        }
      }
    });
  }
};

draw(page, data);
