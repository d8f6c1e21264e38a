/* Results and comparisons: each document, and its answer in words. */
const documents = data.map(its => its.document), answers = new Map(data.map(its => [its.document, its.answer])),
      isComparison = document => document.schema === 'edagen.compare/1';
const comparisons = documents.filter(isComparison), results = documents.filter(document => !isComparison(document));
/* Of a load point that was killed its intervals are all that is known (result_file.cpp). */
const isOver = point => point.purpose !== 'incomplete';
const requested = point => point.requested_ops_per_sec !== null ? perSecond(point.requested_ops_per_sec) : isOver(point) ? 'max' : '';
/* Of a load point in which too few ops ended they are null (result.hpp). */
const known = (value, text) => value === null ? '-' : text(value);
const toText = ([low, high]) => perSecond(low) + ' to ' + perSecond(high);
const rateOf = point => known(point.achieved_ops_per_sec, perSecond);
const mibOf = point => known(point.mib_per_sec, mib);
const responseOf = (point, key) => point.latency_ms ? millis(point.latency_ms.response[key]) : '-';
const isPaused = point => point.invalid_reasons.includes('generator_paused');
const onTarget = answer => answer.target_ms + ' ms ' + answer.statistic + ' ' + answer.latency;

/* The answer in words; its first line is the shortest form of it. */
function answer(parent, document) {
  const [first, ...others] = answers.get(document).split('\n'), text = add(parent, 'p', null, 'verdict');
  add(text, 'b', first);
  text.append('\n' + others.map(line => line.trim()).join('\n'));
}

function name(result) {
  const target = result.target;
  const mounts = target.mounts.length, used = Math.min(mounts, result.clients);
  const where = target.kind === 'sim' ? target.model + ' (simulated)' :
      mounts === 1                    ? target.mounts[0].path :
      used < mounts                   ? used + ' of ' + mounts + ' mounts' :
                                        mounts + ' mounts';
  return result.workload.name + ', ' + counted(result.clients, 'client') + ' on ' + where;
}

/* Points far beyond the volume's limits would flatten the rest. */
function drawn(result) {
  const goals = result.at_latency_target.map(answer => answer.target_ms);
  const highest = goals.length ? 10 * most(goals) : Infinity;
  const measured = result.load_points.filter(point => point.statistic_ms?.value > 0)
                       .sort((a, b) => a.achieved_ops_per_sec - b.achieved_ops_per_sec);
  return {
    points: measured.filter(point => point.statistic_ms.value <= highest),
    left_out: measured.filter(point => point.statistic_ms.value > highest).length,
    highest
  };
}

/* Under the points: the interval of each answer as a band, its target as a line, and error bars. */
const curveMarks = {
  id: 'curveMarks',
  beforeDatasetsDraw(made, args, options) {
    const {ctx, chartArea: area, scales: {x, y}} = made;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    ctx.clip();
    options.bands.forEach(([low, high, colour]) => {
      ctx.fillStyle = colour + '33';
      const from = x.getPixelForValue(low), to = x.getPixelForValue(high);
      ctx.fillRect(from, area.top, Math.max(1, to - from), area.bottom - area.top);
    });
    options.targets.forEach(target => {
      const at = y.getPixelForValue(target);
      ctx.strokeStyle = ctx.fillStyle = answered;
      ctx.lineWidth = 1;
      ctx.setLineDash([6, 4]);
      ctx.beginPath();
      ctx.moveTo(area.left, at);
      ctx.lineTo(area.right, at);
      ctx.stroke();
      ctx.font = '12px system-ui, sans-serif';
      ctx.textAlign = 'left';
      ctx.fillText('target ' + target + ' ms', area.left + 6, at - 5);
    });
    ctx.setLineDash([]);
    ctx.lineWidth = 1;
    options.bars.forEach(([rate, low, high, colour]) => {
      const at = x.getPixelForValue(rate), from = y.getPixelForValue(low), to = y.getPixelForValue(high);
      ctx.strokeStyle = colour;
      ctx.beginPath();
      ctx.moveTo(at, from);
      ctx.lineTo(at, to);
      [from, to].forEach(end => {
        ctx.moveTo(at - 4, end);
        ctx.lineTo(at + 4, end);
      });
      ctx.stroke();
    });
    ctx.restore();
  }
};

const isBlock = point => point.purpose === 'climb' || point.purpose === 'block';
const isOverload = point =>
    point.invalid_reasons.some(reason => reason === 'achieved_rate_low' || reason === 'ops_outstanding');

/* Of several, each under its name. */
function curves(parent, all, nameOf) {
  const shown = all.filter(result => !result.series && result.load_points.length > 1), many = shown.length > 1,
        sets = [], bars = [], bands = [], targets = new Set(), notes = ['Hollow: invalid or overload; small and faint: blocks of a search; diamond: rate at a target'], answers = [];
  shown.forEach((result, i) => {
    const colour = colours[i % colours.length], {points, left_out, highest} = drawn(result),
          called = many ? nameOf(result) : '', mark = many ? colour : answered;
    const at = point => ({x: point.achieved_ops_per_sec, y: point.statistic_ms.value});
    const full = points.filter(point => !isBlock(point)), blocks = points.filter(isBlock),
          hollow = point => !point.valid || isOverload(point);
    if (blocks.length)
      sets.push({
        label: called ? called + ', search' : 'blocks of the search',
        minor: many,
        data: blocks.map(at),
        pointRadius: 2.5,
        pointBackgroundColor: blocks.map(point => hollow(point) ? 'transparent' : colour + '55'),
        borderColor: colour + '55',
        backgroundColor: colour + '55'
      });
    if (full.length)
      sets.push({
        label: called || 'load points',
        data: full.map(at),
        borderColor: colour,
        backgroundColor: colour,
        pointBackgroundColor: full.map(point => hollow(point) ? 'transparent' : colour),
        borderWidth: 1.5,
        pointBorderWidth: 1.5,
        pointRadius: 5,
        showLine: full.every(point => point.purpose === 'load point')
      });
    full.forEach(point => {
      const {value, standard_error: error} = point.statistic_ms;
      if (error > 0)
        bars.push(
            [point.achieved_ops_per_sec, Math.max(value - 1.96 * error, value / 100), value + 1.96 * error, colour]);
    });
    result.at_latency_target.forEach(answer => {
      targets.add(answer.target_ms);
      if (!answer.met || answer.limit === 'host' || !(answer.ops_per_sec > 0)) return;
      if (!answer.limit && answer.confidence_95) bands.push([...answer.confidence_95, mark]);
      answers.push(answer.ops_per_sec);
      sets.push({
        label: (called ? called + ', ' : '') + (answer.limit ? 'lower bound at ' : 'rate at ') + answer.target_ms + ' ms',
        minor: many,
        data: [{x: answer.ops_per_sec, y: answer.target_ms}],
        borderColor: mark,
        backgroundColor: mark,
        pointStyle: 'rectRot',
        pointRadius: 7
      });
    });
    if (left_out)
      notes.push(
          'not drawn: ' + counted(left_out, 'load point') + ' above ' + millis(highest) + ' ms' +
          (called ? ' of ' + called : ''));
  });
  if (bands.length) notes.splice(1, 0, 'band: 95 % interval of the rate');
  const wide = many && most(answers) > 10 * least(answers); /* a linear axis would crush the smallest */
  const statistic = shown[0].at_latency_target[0] ?
      shown[0].at_latency_target[0].statistic + ' ' + shown[0].at_latency_target[0].latency :
      'mean response';
  chart(parent, {
    type: 'scatter',
    data: {datasets: sets},
    plugins: [curveMarks],
    options: {
      plugins: Object.assign(legend({usePointStyle: true}), {curveMarks: {bands, targets: [...targets], bars}}),
      scales: {
        x: axis('achieved ops/s', wide ? {type: 'logarithmic'} : {beginAtZero: true}),
        y: axis(statistic + ', ms', {type: 'logarithmic', suggestedMax: 1.5 * most([0, ...targets])}) /* its label fits */
      }
    }
  });
  add(parent, 'p', notes.join('; '), 'dim');
}

function label(result, p) {
  const swept = result.series && result.series.parameter;
  return (swept ? result.series.parameter + ' ' + p.sweep_value : p.purpose) +
      (result.series && result.series.points[0].repeats > 1 ? ', repeat ' + p.repeat : '') +
      (p.active_job_sets ? ', ' + p.active_job_sets + ' job sets' : '');
}

/* Of a load point or of an answer. */
function validity(measured) {
  return measured.valid ? {text: 'yes', style: 'good'} : {text: measured.invalid_reasons.join(', '), style: 'bad'};
}

function points(parent, result) {
  const blocks = result.load_points.filter(isBlock), full = result.load_points.filter(p => !isBlock(p));
  if (full.length) pointTable(parent, result, full);
  if (!blocks.length) return;
  const folded = add(parent, 'details');
  folded.open = !full.length;
  add(folded, 'summary', counted(blocks.length, 'block') + ' of the search');
  pointTable(folded, result, blocks);
}

function pointTable(parent, result, shown) {
  table(
      parent,
      ['purpose', 'requested', 'achieved', 'avg lat ms', 'p50', 'p95', 'p99', 'p99.9', 'MiB/s', 'seconds', 'valid run'],
      shown.map(p => {
        return [
          label(result, p), requested(p), rateOf(p), responseOf(p, 'mean'),
          ...['p50', 'p95', 'p99', 'p99_9'].map(key => isOver(p) ? responseOf(p, key) : ''), mibOf(p), figure(p.seconds),
          validity(p)
        ];
      }));
}

/* A sweep, repeats, or both. */
function series(parent, result) {
  const points = result.series.points, parameter = result.series.parameter, repeated = points.some(p => p.repeats > 1);
  if (parameter)
    chart(parent, {
      type: 'line',
      data: {
        labels: points.map(p => p.value),
        datasets: [
          {
            label: 'ops/s',
            data: points.map(p => p.ops_per_sec.mean),
            borderColor: colours[0],
            backgroundColor: colours[0],
            yAxisID: 'y',
            borderWidth: 2.5
          },
          {
            label: 'MiB/s',
            data: points.map(p => p.mib_per_sec.mean),
            borderColor: colours[2],
            backgroundColor: colours[2],
            yAxisID: 'mib',
            borderWidth: 1.2
          },
          {
            label: 'mean response, ms',
            data: points.map(p => p.response_ms.mean),
            borderColor: colours[1],
            backgroundColor: colours[1],
            yAxisID: 'ms',
            borderWidth: 1.2
          }
        ]
      },
      options: {
        plugins: legend(),
        scales: {
          x: axis(parameter),
          y: axis('ops/s', {beginAtZero: true}),
          mib: axis('MiB/s', {position: 'right', beginAtZero: true, grid: {drawOnChartArea: false}}),
          ms: axis('ms', {position: 'right', beginAtZero: true, grid: {drawOnChartArea: false}})
        }
      }
    });
  const heads = [parameter || 'load', 'ops/s'], more = ['95 % interval of the mean', 'median', 'deviation', 'repeats'];
  table(parent, [...heads, ...(repeated ? more : []), 'MiB/s', 'avg lat ms'], points.map(p => {
    const rate = p.ops_per_sec;
    return [
      parameter ? p.value : 'all', perSecond(rate.mean),
      ...(repeated ?
              [
                known(rate.confidence_95, toText), perSecond(rate.median), known(rate.standard_deviation, perSecond),
                p.repeats
              ] :
              []),
      mib(p.mib_per_sec.mean), millis(p.response_ms.mean)
    ];
  }));
}

const limits = {
  highest_rate: 'the highest rate that was asked for',
  procs: 'all procs are busy',
  search_time: 'the search ended before it tried a higher rate',
  host: 'this host is the limit'
};

function detail(parent, result) {
  const heading = add(parent, 'h2', 'One load point: ');
  const select = add(heading, 'select');
  result.load_points.forEach((p, i) => {
    const option = add(select, 'option', label(result, p) + (requested(p) ? ', ' + requested(p) + ' ops/s requested' : ''));
    option.value = i;
  });
  select.value = chosen(result);
  const body = add(parent, 'div');
  const show = () => {
    body.textContent = '';
    const point = result.load_points[select.value];
    if (point.achieved_ops_per_sec === null)
      return add(body, 'p', point.operations ? counted(point.operations, 'op') + ' ended, too few for figures' : 'No op ended.', 'bad');
    add(body, 'p',
        rateOf(point) + ' ops/s, ' + mibOf(point) + ' MiB/s; response ' + responseOf(point, 'mean') + ' ms' +
            (isPaused(point) ? '; a pause of edagen is in all figures: they do not tell what the storage\'s part is' :
                 !point.latency_ms?.service ? '' :
                 isOver(point) ? ' = service ' + millis(point.latency_ms.service.mean) + ' ms + lag ' + millis(point.latency_ms.lag.mean) + ' ms on average' :
                             ', service ' + millis(point.latency_ms.service.mean) +
                     ' ms on average; it was not over: its percentiles and kinds of op are not known'),
        'dim');
    const ops = Object.entries(point.ops);
    if (ops.length) {
      const bars = (label, colour, of) => chart(body, {
        type: 'bar',
        data: {labels: ops.map(([kind]) => kind), datasets: [{label, data: ops.map(([, op]) => of(op)), backgroundColor: colour}]},
        options: {plugins: legend(), scales: {x: axis(''), y: axis(label, {beginAtZero: true})}}
      });
      bars('share of ops, %', colours[0], op => 100 * op.share);
      bars('mean response, ms', colours[1], op => op.latency_ms?.response.mean ?? null);
      table(
          body, ['op', 'ops/s', 'share %', 'MiB/s', 'errors', 'mean ms', 'p50', 'p95', 'p99', 'max'],
          ops.map(([kind, op]) => {
            const l = op.latency_ms?.response;
            return [
              kind, perSecond(op.operations / point.seconds), fixed(100 * op.share, 1),
              op.bytes ? mib(op.bytes / 1048576 / point.seconds) : '',
              Object.entries(op.errors).map(([e, n]) => e + ' ' + whole(n)).join(', '),
              ...['mean', 'p50', 'p95', 'p99', 'max'].map(key => l ? millis(l[key]) : '')
            ];
          }));
    }
    if (ops.length) percentilePlot(body, point);
    if (point.nfs) nfsView(body, point);
    const columns = joined(point.intervals);
    heatMap(body, point, columns);
    balance(body, result, point);
    hostTable(body, point);
    const line = (label, colour, axis, of) => ({
      label,
      data: columns.map(of),
      borderColor: colour,
      backgroundColor: colour,
      yAxisID: axis,
      borderWidth: 1.2,
      pointRadius: 0
    });
    chart(body, {
      type: 'line',
      data: {
        labels: columns.map(i => figure(i.t)),
        datasets: [
          line('ops/s', colours[0], 'y', i => i.ops_per_sec),
          line('mean response, ms', colours[1], 'ms', i => i.response_mean_ms),
          line(columns.length < point.intervals.length ? 'highest p99, ms' : 'p99, ms', colours[4], 'ms', i => i.response_p99_ms)
        ]
      },
      options: {
        plugins: legend(),
        scales: {
          x: axis('seconds'),
          y: axis('ops/s', {beginAtZero: true}),
          ms: axis('ms', {position: 'right', beginAtZero: true, grid: {drawOnChartArea: false}})
        }
      }
    });
  };
  select.onchange = show;
  show();
}

const mostColumns = 600;

/* Neighbours as one, where there are more than a chart has room for: their rate and mean, and their highest p99. */
function joined(intervals) {
  const each = Math.ceil(intervals.length / mostColumns), columns = [];
  if (each < 2) return intervals;
  for (let from = 0; from < intervals.length; from += each) {
    const part = intervals.slice(from, from + each), counts = [];
    let seconds = 0, ops = 0, timed = 0, response = 0, p99 = null;
    part.forEach(i => {
      const its = i.ops_per_sec * i.seconds;
      seconds += i.seconds;
      ops += its;
      if (i.response_mean_ms !== null) timed += its, response += its * i.response_mean_ms;
      if (i.response_p99_ms !== null) p99 = Math.max(p99 ?? 0, i.response_p99_ms);
      i.response_counts?.forEach((many, bin) => counts[bin] = (counts[bin] ?? 0) + many);
    });
    columns.push({
      t: part[0].t,
      seconds,
      ops_per_sec: ops / seconds,
      response_mean_ms: timed ? response / timed : null,
      response_p99_ms: p99,
      response_counts: counts
    });
  }
  return columns;
}

/* Mean response of each load point, in the parts that make it. */
function timeParts(parent, result) {
  const over = result.load_points.filter(p => isOver(p) && p.latency_ms?.service), full = over.filter(p => !isBlock(p) && p.operations),
        shown = full.length ? full : over;
  if (!shown.length) return;
  add(parent, 'h2', 'Where the time goes');
  const own = p => Math.min(p.generator_lag_mean_ms ?? 0, p.latency_ms.lag.mean), paused = shown.some(isPaused);
  /* Of an op all its RPCs; they may overlap. */
  const queue = p => p.nfs ? Math.min(p.nfs.queue_ms * p.nfs.rpcs_per_op, p.latency_ms.service.mean) : 0;
  const nfs = shown.some(p => p.nfs);
  const bar = (label, colour, of) =>
      ({label, data: shown.map(of), backgroundColor: colour, stack: 'response', maxBarThickness: 60});
  const part = (label, colour, of) => bar(label, colour, p => isPaused(p) ? null : of(p));
  chart(parent, {
    type: 'bar',
    data: {
      labels: shown.map(p => perSecond(p.achieved_ops_per_sec)),
      datasets: [
        part(
            nfs ? 'service: server and network' : 'service: the storage and its client', colours[0],
            p => p.latency_ms.service.mean - queue(p)),
        ...(nfs ? [part('service: queue in the client', colours[5], queue)] : []),
        part('wait for the busy proc', colours[1], p => p.latency_ms.lag.mean - own(p)),
        part('the generator\'s own delay', colours[4], own),
        ...(paused ? [bar('not split: a pause of edagen is in it', grey, p => isPaused(p) ? p.latency_ms.response.mean : null)] : [])
      ]
    },
    options: {
      plugins: legend(),
      scales: {x: axis('achieved ops/s'), y: axis('mean response, ms', {stacked: true, beginAtZero: true})}
    }
  });
}

const percentiles = {p50: 'p50', p90: 'p90', p95: 'p95', p99: 'p99', p99_9: 'p99.9', max: 'max'};

/* Response percentiles of all ops and of each kind. */
function percentilePlot(parent, point) {
  const kinds = Object.entries(point.ops).filter(([, op]) => op.latency_ms).sort((a, b) => b[1].operations - a[1].operations).slice(0, 6);
  const line = (label, latency, colour, width) => ({
    label,
    data: Object.keys(percentiles).map(key => latency[key] > 0 ? latency[key] : null),
    borderColor: colour,
    backgroundColor: colour,
    borderWidth: width,
    pointRadius: 2
  });
  chart(parent, {
    type: 'line',
    data: {
      labels: Object.values(percentiles),
      datasets: [
        ...(point.latency_ms ? [line('all ops', point.latency_ms.response, grey, 3)] : []),
        ...kinds.map(([kind, op], i) => line(kind, op.latency_ms.response, colours[i % colours.length], 1.2))
      ]
    },
    options: {
      plugins: legend(),
      scales: {x: axis('percentile of the ops'), y: axis('response, ms', {type: 'logarithmic'})}
    }
  });
}

/* The lowest response of a bin of an interval's counts, in ms. */
const lowestOf = bin => bin ? Math.SQRT2 ** bin / 1000 : .0005;

/* Behind nothing: how many ops of each interval took how long, and above it where it stalled. */
const heatMarks = {
  id: 'heatMarks',
  beforeDatasetsDraw(made, args, {intervals, stalls}) {
    const {ctx, chartArea: area, scales: {x, y}} = made;
    const darkest = Math.log(1 + most(intervals.map(i => most(i.response_counts))));
    ctx.save();
    intervals.forEach(i => i.response_counts.forEach((ops, bin) => {
      if (!ops) return;
      const left = x.getPixelForValue(i.t), right = x.getPixelForValue(i.t + i.seconds),
            top = y.getPixelForValue(lowestOf(bin + 1)), bottom = y.getPixelForValue(lowestOf(bin));
      ctx.globalAlpha = .12 + .88 * Math.log(1 + ops) / darkest;
      ctx.fillStyle = colours[0];
      ctx.fillRect(left, top, Math.max(1, right - left - (right - left > 6 ? 1 : 0)), bottom - top);
    }));
    ctx.globalAlpha = 1;
    ctx.fillStyle = worse;
    stalls.forEach(i => {
      const left = x.getPixelForValue(i.t), right = x.getPixelForValue(i.t + i.seconds);
      ctx.fillRect(left, area.top, Math.max(2, right - left), 5);
    });
    ctx.restore();
  }
};

const stallTimes = 5;

/* An interval in which no op ended, or whose p99 is far above the median of all. */
function stallsOf(intervals) {
  const p99 = intervals.map(i => i.response_p99_ms).filter(value => value !== null).sort((a, b) => a - b),
        usual = p99[Math.floor((p99.length - 1) / 2)];
  return intervals.filter(i => i.response_p99_ms === null || i.response_p99_ms > stallTimes * usual);
}

function heatMap(parent, point, columns) {
  const intervals = point.intervals, seen = columns.filter(i => i.response_counts?.length);
  if (intervals.length < 2 || !seen.length) return;
  const paused = isPaused(point), stalls = paused ? [] : stallsOf(intervals),
        bins = [...new Set(seen.flatMap(i => i.response_counts.flatMap((ops, bin) => ops ? [bin] : [])))],
        last = intervals[intervals.length - 1];
  add(parent, 'h2', 'Response over time');
  add(parent, 'p',
      'The darker, the more ops of the interval. ' +
          (paused ? 'A pause of edagen is among them: what looks like a stall is not the storage\'s.' :
               stalls.length ?
               'Red: ' + (stalls.length === 1 ? 'one interval' : stalls.length + ' intervals') + ' of ' + intervals.length +
                   ' in which no op ended, or the p99 is more than ' + stallTimes + ' times the median of all intervals.' :
               'No interval stalled: in each of them ops ended, and its p99 is at most ' + stallTimes + ' times the median of all intervals.'),
      paused || stalls.length ? 'bad' : 'dim');
  chart(parent, {
    type: 'scatter',
    data: {
      datasets: [],
      rows: seen.flatMap(i => i.response_counts.flatMap(
                             (ops, bin) => ops ? [[ops + ' ops', i.t, Number(lowestOf(bin).toPrecision(3))]] : []))
    },
    plugins: [heatMarks],
    options: {
      plugins: {legend: {display: false}, heatMarks: {intervals: seen, stalls}},
      scales: {
        x: axis('seconds', {type: 'linear', min: 0, max: last.t + last.seconds, grid: {display: false}}),
        y: axis('response, ms', {
          type: 'logarithmic',
          min: lowestOf(least(bins)),
          max: lowestOf(most(bins) + 2)
        })
      }
    }
  });
}

/* The mount that a client works on (docs/reference.md); on several hosts they may be others on each. */
const mountOf = (result, client) => client % result.target.mounts.length;

/* How even the load was over clients, and over mounts. */
function balance(parent, result, point) {
  const clients = point.clients ?? [], mounts = point.hosts?.length ? [] : result.target.mounts.slice(0, clients.length);
  if (clients.length < 2) return;
  const rate = its => its.operations / point.seconds, moved = its => its.bytes / 1048576 / point.seconds;
  add(parent, 'h2', 'Balance');
  chart(parent, {
    type: 'bar',
    data: {
      labels: clients.map((_, i) => 'client ' + i),
      datasets: [{
        label: mounts.length > 1 ? 'ops/s of each client (a colour for each mount)' : 'ops/s of each client',
        data: clients.map(rate),
        backgroundColor: clients.map((_, i) => colours[(mounts.length > 1 ? mountOf(result, i) : 0) % colours.length])
      }]
    },
    options: {plugins: legend(), scales: {x: axis(''), y: axis('ops/s', {beginAtZero: true})}}
  });
  if (mounts.length < 2) return;
  const sums = mounts.map((mount, m) => clients.filter((_, i) => mountOf(result, i) === m)
                                            .reduce(
                                                (sum, its) => ({
                                                  clients: sum.clients + 1,
                                                  operations: sum.operations + its.operations,
                                                  errors: sum.errors + its.errors,
                                                  bytes: sum.bytes + its.bytes
                                                }),
                                                {clients: 0, operations: 0, errors: 0, bytes: 0}));
  table(
      parent, ['mount', 'clients', 'ops/s', 'of the ops, %', 'MiB/s', 'errors'],
      mounts.map((mount, m) => [mount.path, sums[m].clients, perSecond(rate(sums[m])),
                                fixed(100 * sums[m].operations / point.operations, 1), mib(moved(sums[m])),
                                sums[m].errors || '']));
}

/* Of a load of several hosts. */
function hostTable(parent, point) {
  if (!point.hosts?.length) return;
  add(parent, 'h2', 'Hosts');
  const list = add(parent, 'ul');
  point.host_findings.forEach(text => add(list, 'li', text, 'bad'));
  table(
      parent,
      ['host', 'rank', 'clients', 'ops/s', 'service ms', 'response ms', 'own delay ms', 'processors', 'first op ms', 'errors'],
      point.hosts.map(host => [
        host.name, host.rank, host.clients, perSecond(host.achieved_ops_per_sec),
        ...[host.service_mean_ms, host.response_mean_ms, host.generator_lag_mean_ms].map(mean => host.operations ? millis(mean) : '-'),
        figure(host.cpu_cores_used),
        millis(host.first_op_ms), Object.entries(host.errors).map(([e, n]) => e + ' ' + n).join(', ')
      ]));
}

/* RPC kinds over all mounts, most frequent first. */
function nfsView(parent, point) {
  const view = point.nfs, kinds = {};
  view.mounts.forEach(mount => Object.entries(mount.rpcs).forEach(([kind, rpc]) => {
    const sum = kinds[kind] = kinds[kind] || {requests: 0, queue: 0, trip: 0, execute: 0, again: 0};
    sum.requests += rpc.requests;
    sum.again += rpc.retransmissions;
    sum.queue += rpc.queue_ms * rpc.requests;
    sum.trip += rpc.round_trip_ms * rpc.requests;
    sum.execute += rpc.execute_ms * rpc.requests;
  }));
  add(parent, 'h2', 'NFS view');
  add(parent, 'p',
      figure(view.rpcs_per_op) + ' RPCs per op, ' + figure(view.rpcs_in_flight) + ' in flight of ' +
          counted(view.rpc_slots, 'slot') + ', ' + counted(view.connections, 'connection') + ' on ' +
          counted(view.mounts.length, 'mount') +
          (view.rpcs_waiting >= 1 ? '; ' + figure(view.rpcs_waiting) + ' RPCs wait' : ''),
      'dim');
  const list = add(parent, 'ul');
  view.findings.forEach(text => add(list, 'li', text));
  const busiest = Object.entries(kinds)
                      .map(([kind, sum]) => [kind, (sum.queue + sum.trip) / point.operations, sum.queue / point.operations])
                      .sort((a, b) => b[1] - a[1])
                      .slice(0, 12);
  chart(parent, {
    type: 'bar',
    data: {
      labels: busiest.map(([kind]) => kind),
      datasets: [
        {
          label: 'at the server and on the network',
          data: busiest.map(([, all, queue]) => all - queue),
          backgroundColor: colours[0],
          stack: 'rpc'
        },
        {label: 'queue in the client', data: busiest.map(its => its[2]), backgroundColor: colours[1], stack: 'rpc'}
      ]
    },
    options: {plugins: legend(), scales: {x: axis(''), y: axis('ms per op, on average', {stacked: true})}}
  });
  table(
      parent, ['RPC', 'requests', 'per op', 'queue ms', 'round trip ms', 'execute ms', 'sent again'],
      Object.entries(kinds)
          .sort((a, b) => b[1].requests - a[1].requests)
          .map(
              ([kind, sum]) =>
                  [kind, whole(sum.requests), figure(sum.requests / point.operations), millis(sum.queue / sum.requests),
                   millis(sum.trip / sum.requests), millis(sum.execute / sum.requests), sum.again || '']));
}

/* The load point that shows a result best: what demonstrates its answer, or the last one. */
const chosen = result => result.at_latency_target[0]?.demonstrated?.load_point ?? result.load_points.length - 1;

/* Mean response of each op kind, beside each other: `all` have a label and means by kind. */
function opKinds(parent, all) {
  const kinds = [...new Set(all.flatMap(its => Object.keys(its.means)))];
  if (all.length < 2 || !kinds.length) return;
  add(parent, 'h2', 'By kind of op');
  chart(parent, {
    type: 'bar',
    data: {
      labels: kinds,
      datasets: all.map(
          (its, i) =>
              ({label: its.label, data: kinds.map(kind => its.means[kind] ?? null), backgroundColor: colours[i % colours.length]}))
    },
    options: {plugins: legend(), scales: {x: axis(''), y: axis('mean response, ms', {type: 'logarithmic'})}}
  });
}

const opMeans = result => {
  const point = result.load_points[chosen(result)];
  return {
    label: name(result) + ', ' + rateOf(point) + ' ops/s',
    means: Object.fromEntries(
        Object.entries(point.ops).filter(([, op]) => op.latency_ms).map(([kind, op]) => [kind, op.latency_ms.response.mean]))
  };
};

/* What was measured with what, side by side: `all` are pairs of a head and settings; what differs is marked. */
function configurations(parent, all) {
  add(parent, 'h2', 'Configurations');
  const maps = all.map(([, its]) => new Map(its));
  const keys = [...new Set(maps.flatMap(its => [...its.keys()]))];
  table(parent, ['', ...all.map(([head]) => ({text: head, style: 'text'}))], keys.map(key => {
    const values = maps.map(its => its.get(key) ?? ''), differ = values.some(value => value !== values[0]);
    return [key, ...values.map(text => ({text, style: differ ? 'text bad' : 'text'}))];
  }));
}

function environment(parent, result) {
  table(
      parent, ['environment', ''],
      [
        ...settings(result), ['command', result.command.join(' ')],
        ['time', result.started_at + ' to ' + (result.status === 'incomplete' ? 'a time that is not known' : result.finished_at) + ', ' + result.status]
      ].map(([key, text]) => [key, {text: text, style: 'text'}]));
}

/* What a result was measured with: pairs of a name and a text. */
function settings(result) { return [...Object.entries(result.labels ?? {}), ...gathered(result), ...origin(result)]; }

function gathered(result) {
  const rows = [
    ['workload', result.workload.name + ' (' + result.workload.phase + '), seed ' + result.workload.seed],
    [
      'load',
      counted(result.clients, 'client') + ', ' + counted(result.procs, 'proc') + ', ' + figure(result.job_sets) +
          (result.job_sets === 1 ? ' job set' : ' job sets')
    ],
    [
      'dataset',
      counted(result.dataset.files, 'file') + ', ' + bytes(result.dataset.bytes) +
          (result.dataset.scaled_down ? ', scaled down' : '') + (result.dataset.reused ? ', reused' : '')
    ]
  ];
  const io = result.io;
  rows.push([
    'I/O',
    'depth ' + io.depth + ', ' + io.engine + (io.direct ? ', O_DIRECT' : ', buffered') + ', fsync ' + io.fsync +
        (io.drop_caches ? ', caches dropped before' : '')
  ]);
  result.target.mounts.forEach(
      (mount, i) => rows.push(['mount' + (i ? ' ' + (i + 1) : ''), mount.path + '  ' + mount.fstype + '  ' + mount.source + '  ' + mount.options]));
  return rows;
}

/* The host and the program, of a result or a comparison. */
function origin(its) {
  const host = its.host, rows = [
      [
        'host',
        host.name + ', Linux ' + host.kernel + ', ' + counted(host.cpus, 'processor') +
            (host.processor ? ' (' + host.processor + ')' : '') + ', ' + bytes(host.memory_bytes)
      ],
      ['edagen', its.edagen_version]
  ];
  if (Object.keys(host.sysctls ?? {}).length)
    rows.push(['sysctls', Object.entries(host.sysctls).map(([key, value]) => key + ' = ' + value).join('; ')]);
  return rows;
}

/* A run of it did not reach the target: its mean rate is a lower bound. */
const isLowerBound = variant => variant.runs.some(run => run.invalid_reasons.includes('target_not_reached'));

/* As a change, "+3.2 %", or as a factor, "15.9x": all of a comparison are written alike (comparison_text.cpp). */
function ratioText(ratio, asFactor) {
  if (asFactor) return (ratio >= .1 && ratio < 9.995 ? fixed(ratio, 2) : figure(ratio)) + 'x';
  const change = 100 * (ratio - 1), size = fixed(Math.abs(change), 1);
  return (size === '0.0' ? '' : change > 0 ? '+' : '-') + (Math.abs(change) < 999.5 ? size : whole(Math.abs(change))) + ' %';
}

/* Of ratios: the line of no change, and intervals. */
const ratioMarks = {
  id: 'ratioMarks',
  beforeDatasetsDraw(made, args, options) {
    const {ctx, chartArea: area, scales: {x, y}} = made;
    const across = (value, from, to) => {
      ctx.beginPath();
      ctx.moveTo(x.getPixelForValue(value), from);
      ctx.lineTo(x.getPixelForValue(value), to);
      ctx.stroke();
    };
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left, area.top, area.width, area.height);
    ctx.clip();
    ctx.strokeStyle = grey;
    ctx.setLineDash([6, 4]);
    across(options.none, area.top, area.bottom);
    ctx.setLineDash([]);
    ctx.lineWidth = 2;
    options.bars.forEach(([row, low, high, colour]) => {
      const at = y.getPixelForValue(row);
      ctx.strokeStyle = colour;
      [low, high].forEach(end => across(end, at - 6, at + 6));
      ctx.beginPath();
      ctx.moveTo(x.getPixelForValue(low), at);
      ctx.lineTo(x.getPixelForValue(high), at);
      ctx.stroke();
    });
    ctx.restore();
  }
};

/* Variants against the first: means, every run, and what tunings showed of stale data. */
function comparison(parent, compared) {
  const at = (compared.at_latency_target ?? '').replace(/([0-9])([a-z])/, '$1 $2'),
        what = at ? 'ops/s at ' + at : 'ops/s';
  const baseline = compared.variants.find(variant => variant.runs.length),
        tested =
            compared.variants.filter(variant => variant.against_first && variant.against_first.p_holm !== null).length;
  const isBound = variant => isLowerBound(variant) || isLowerBound(baseline),
        beside = compared.variants.filter(variant => variant.against_first && !isBound(variant)),
        /* So few repeats cannot tell (comparison_text.cpp): the document has their interval, and nobody should read it. */
        isTooWide = ({verdict, confidence_95: [low, high]}) => verdict === 'no difference shown' && high > 4 * low,
        endsOf = variant => isTooWide(variant.against_first) ? [] : variant.against_first.confidence_95.filter(end => end !== null);
  const ratios = beside.flatMap(variant => [variant.against_first.ratio, ...(endsOf(variant).length > 1 ? endsOf(variant) : [])]),
        asFactor = ratios.some(ratio => ratio >= 2 || ratio <= .5);
  if (compared.status !== 'complete') add(parent, 'p', 'This comparison is ' + compared.status + '.', 'bad');
  compared.notes?.forEach(note => add(parent, 'p', 'Note: ' + note, 'bad'));
  if (compared.variants.some(variant => variant.what.startsWith('sim:')))
    add(parent, 'span', 'simulated: figures of a model, not of storage', 'label');
  table(
      parent,
      [
        'variant', what, 'MiB/s', 'avg lat ms', 'RPCs per op', 'vs ' + (baseline?.name ?? 'the first'), '95 % interval',
        'verdict', 'valid runs'
      ],
      compared.variants.map(variant => {
        const difference = variant.against_first, [low, high] = difference ? difference.confidence_95 : [],
              tooWide = difference && isTooWide(difference), valid = variant.runs.filter(run => run.valid).length,
              gaps = (compared.missing_runs ?? []).filter(gap => gap.variant === variant.name),
              missing = gaps.reduce((sum, gap) => sum + gap.last_repeat - gap.first_repeat + 1, 0),
              without = missing ? ', ' + whole(missing) + ' missing' : '';
        if (!variant.runs.length)
          return [
            variant.name, '', '', '', '', '', '', {text: variant.refused ? 'refused' : '', style: 'bad'},
            {text: '0 of 0' + without, style: 'bad'}
          ];
        const above = isLowerBound(variant) ? '> ' : '', bound = difference && isBound(variant);
        return [
          variant.name, known(variant.mean_ops_per_sec, rate => above + perSecond(rate)),
          known(variant.mean_mib_per_sec, moved => above + mib(moved)), known(variant.mean_response_ms, millis),
          variant.mean_rpcs_per_op ? figure(variant.mean_rpcs_per_op) : '',
          difference && !bound ? ratioText(difference.ratio, asFactor) : '',
          difference && !bound ? (high === null || tooWide ? 'none: needs more repeats' : ratioText(low, asFactor) + ' to ' + ratioText(high, asFactor)) : '',
          difference ? {
            text: bound ? 'none: lower bound' :
                tooWide ? 'none: too few repeats' :
                high === null && difference.verdict === 'no difference shown' ? 'none: no interval' : difference.verdict,
            style: difference.verdict === 'faster' ? 'good' :
                difference.verdict === 'slower'    ? 'bad' :
                                                     ''
          } :
                       '',
          {
            text: valid + ' of ' + variant.runs.length + without,
            style: valid === variant.runs.length && !missing ? 'good' : 'bad'
          }
        ];
      }),
      'answer');
  if (beside.length && [baseline, ...beside].some(variant => variant.runs.length > 1)) {
    const isOfBoth = run => baseline.runs.some(other => other.repeat === run.repeat),
          repeats = variant => variant.runs.filter(isOfBoth).length,
          fewer = beside.filter(variant => repeats(variant) < Math.max(variant.runs.length, baseline.runs.length));
    add(parent, 'p',
        'A row shows the arithmetic means of the runs, and "vs ' + baseline.name +
            '" is the geometric mean of the ratios, repeat by repeat' +
            (fewer.length ? ', over those that both have: ' + fewer.map(variant => variant.name + ' ' + repeats(variant)).join(', ') : '') +
            '.',
        'dim');
  }
  if (tested > 1)
    add(parent, 'p',
        tested +
            ' variants are compared with one: 95 % confidence is of all intervals together (Bonferroni), and the probability of a wrong verdict is at most 5 % for all together (Holm), which may show a difference where the interval does not.',
        'dim');
  compared.variants.filter(variant => variant.refused)
      .forEach(variant => add(parent, 'p', variant.name + ': refused: ' + variant.refused, 'bad'));
  const place = ratio => asFactor ? ratio : 100 * (ratio - 1),
        /* The marks at the ends of intervals are inside. */
        [lowest, highest] = [least(ratios), most(ratios)];
  if (beside.length)
    chart(parent, {
      type: 'scatter',
      data: {
        labels: beside.map(variant => variant.name),
        datasets: beside.map(
            (variant, i) => ({
              label: variant.name + ' against ' + (baseline?.name ?? 'the first'),
              data: [{x: place(variant.against_first.ratio), y: i}],
              borderColor: colours[i % colours.length],
              backgroundColor: colours[i % colours.length],
              pointRadius: 6
            }))
      },
      plugins: [ratioMarks],
      options: {
        plugins: Object.assign(legend({usePointStyle: true}), {
          ratioMarks: {
            none: place(1),
            bars: beside.map((variant, i) => [i, ...endsOf(variant).map(place), colours[i % colours.length]])
                      .filter(bar => bar.length === 4)
          }
        }),
        scales: {
          x: asFactor ?
              axis('factor (bar: 95 % interval)', {
                type: 'logarithmic',
                suggestedMin: Math.min(.9, lowest / 1.1),
                suggestedMax: Math.max(1.1, highest * 1.1)
              }) :
              axis('change, % (bar: 95 % interval)', {
                suggestedMin: Math.min(-5, place(lowest) - 10 * (highest - lowest)),
                suggestedMax: Math.max(5, place(highest) + 10 * (highest - lowest))
              }),
          y: axis('', {min: -.7, max: beside.length - .3, reverse: true, ticks: {display: false}, grid: {display: false}})
        }
      }
    });
  const last = compared.variants.filter(variant => variant.last_run), lastRuns = last.map(variant => variant.last_run);
  if (lastRuns.some(run => run.load_points.length > 1)) {
    add(parent, 'h2', 'Latency over I/O rate, of the last runs');
    curves(parent, lastRuns, run => last[lastRuns.indexOf(run)].name);
  }
  opKinds(parent, last.map(variant => ({
                             label: variant.name + ', last run (repeat ' + most(variant.runs.map(run => run.repeat)) + ')',
                             means: variant.last_run.op_response_ms
                           })));
  if (last.length)
    configurations(parent, last.map(variant => [variant.name, [['what', variant.what], ...gathered(variant.last_run)]]));
  add(parent, 'h2', 'Runs');
  const repeats = most([0, ...compared.variants.flatMap(variant => variant.runs.map(run => run.repeat))]);
  chart(parent, {
    type: 'line',
    data: {
      labels: Array.from({length: repeats}, (_, i) => i + 1),
      datasets: compared.variants.map(
          (variant, i) => ({
            label: variant.name,
            data: variant.runs.map(run => ({x: run.repeat, y: at ? run.ops_per_sec : run.response_ms})),
            borderColor: colours[i % colours.length],
            backgroundColor: colours[i % colours.length],
            borderWidth: 1.5
          }))
    },
    options:
        {plugins: legend(), scales: {x: axis('repeat'), y: axis(at ? what : 'mean response, ms', {beginAtZero: true})}}
  });
  table(
      parent, ['variant', 'what', 'repeat', what, 'MiB/s', 'avg lat ms', 'valid run'],
      compared.variants.flatMap(
          variant => variant.runs.map(
              run =>
                  [variant.name, {text: variant.what, style: 'text'}, run.repeat, known(run.ops_per_sec, perSecond),
                   mibOf(run), known(run.response_ms, millis), validity(run)])));
  const stale = compared.variants.filter(variant => variant.staleness);
  if (stale.length)
    table(
        parent,
        ['stale data', 'kind', 'checks', 'stale', 'share %', 'periods', 'unended', 'stale for, p50 ms', 'max ms'],
        stale.flatMap(
            variant => Object.entries(variant.staleness)
                           .map(
                               ([kind, seen]) =>
                                   [variant.name, kind, whole(seen.looks), whole(seen.stale),
                                    fixed(100 * seen.stale_share, 1), whole(seen.periods), whole(seen.unended),
                                    seen.stale_for_p50_ms === null ? '> ' + millis(seen.stale_for_max_ms) :
                                                                     millis(seen.stale_for_p50_ms),
                                    (seen.unended ? '> ' : '') + millis(seen.stale_for_max_ms)])));
  table(parent, ['environment', ''], [
    ...Object.entries(compared.labels ?? {}), ...origin(compared),
    ['command', compared.command.join(' ')], ['time', compared.started_at + ' to ' + compared.finished_at]
  ].map(([key, text]) => [key, {text: text, style: 'text'}]));
}

/* A row for each answer of each result, or for the load point of a run. */
function answerTable(parent) {
  const many = results.length > 1, rows = [];
  results.forEach(result => {
    const row = cells => rows.push(many ? [name(result), ...cells] : cells), bound = a => a.limit ? '> ' : '';
    result.at_latency_target.forEach(
        a => row(
            a.limit === 'host' ? [onTarget(a), limits.host, '', '', '', validity(a)] :
            a.limit && !(a.ops_per_sec > 0) ? [onTarget(a), 'not known', 'not reached: ' + limits[a.limit], '', '', validity(a)] :
            a.met ?
                [
                  onTarget(a), bound(a) + perSecond(a.ops_per_sec),
                  a.limit ? 'not reached: ' + limits[a.limit] : known(a.confidence_95, toText),
                  a.demonstrated ?
                      perSecond(a.demonstrated.ops_per_sec) + ' at ' + millis(a.demonstrated.latency_ms) + ' ms' :
                      'no',
                  bound(a) + mib(a.mib_per_sec), validity(a)
                ] :
                [
                  onTarget(a), 'no load meets it',
                  a.lowest_latency_ms === null ? '' : 'lowest latency ' + millis(a.lowest_latency_ms) + ' ms', '', '', validity(a)
                ]));
    const point = result.load_points[result.load_points.length - 1];
    if (result.at_latency_target.length || result.series || !point) return;
    const rate = rateOf(point), moved = mibOf(point), response = responseOf(point, 'mean') + ' ms';
    row(searched ? ['no target; ' + response, rate, '', '', moved, validity(point)] : [response, rate, moved, validity(point)]);
  });
  const heads = searched ?
      ['latency target', 'I/O rate, ops/s', '95 % confidence', 'demonstrated, ops/s', 'MiB/s', 'valid'] :
      ['mean response', 'I/O rate, ops/s', 'MiB/s', 'valid'];
  if (rows.length) table(parent, many ? ['result', ...heads] : heads, rows, many ? 'answer many' : 'answer');
}
const searched = results.some(result => result.at_latency_target.length);

/* Several results in a sentence: which of those with a valid answer sustains most at the target that all have. */
function together(parent) {
  const answers = results.map(result => result.at_latency_target[0]), valid = results.filter(isValid).length;
  const same = answers.every(a => a && onTarget(a) === onTarget(answers[0] ?? {}));
  const counts = counted(results.length, 'result') + ', ' + (valid === results.length ? 'all' : valid ? valid : 'none') + ' valid';
  const met = results.filter((result, i) => same && answers[i].met && answers[i].valid)
                  .sort((a, b) => b.at_latency_target[0].ops_per_sec - a.at_latency_target[0].ops_per_sec);
  const text = add(parent, 'p', null, 'verdict');
  if (met.length < 2) return add(text, 'b', counts);
  const [best, last] = [met[0], met[met.length - 1]], told = result => {
    return name(result) + ' sustains ' + perSecond(result.at_latency_target[0].ops_per_sec) + ' ops/s';
  };
  const ratio = best.at_latency_target[0].ops_per_sec / last.at_latency_target[0].ops_per_sec;
  add(text, 'b',
      'At ' + onTarget(answers[0]) + ' ' + told(best) + ', ' +
          (ratio < 2 ? '+' + fixed(100 * (ratio - 1), 1) + ' % over' : figure(ratio) + ' times') + ' the least: ' + told(last));
  text.append('\n' + counts);
}
const isValid = result =>
    result.status === 'complete' && [...result.at_latency_target, ...(result.at_latency_target.length ? [] : result.load_points)].every(its => its.valid);

add(page, 'h1',
    documents.length > 1   ? 'edagen: ' + documents.length + ' results' :
        comparisons.length ? 'Comparison of ' + comparisons[0].variants.length + ' variants' :
                             name(results[0]));
comparisons.forEach(compared => {
  if (documents.length > 1) add(page, 'h2', 'Comparison of ' + compared.variants.length + ' variants');
  answer(page, compared);
  comparison(page, compared);
});
if (results.length > 1) {
  together(page);
  answerTable(page);
}
results.forEach(result => {
  if (results.length > 1) add(page, 'h2', name(result));
  answer(page, result);
  if (result.target.kind === 'sim') add(page, 'span', 'simulated: figures of a model, not of storage', 'label');
  /* Of one that was cut off its answer says so. */
  if (result.status !== 'complete' && result.status !== 'incomplete') add(page, 'p', 'This run is ' + result.status + '.', 'bad');
  result.notes?.forEach(note => add(page, 'p', 'Note: ' + note, 'bad'));
  if (results.length === 1) answerTable(page);
  if (result.ort_ms)
    add(page, 'p',
        'Overall response time ' + millis(result.ort_ms) + ' ms (' + result.ort_variant +
            (result.load_points[0].purpose === 'load point' ? '' : '; of a search: not comparable with that of fixed load points') + ')',
        'dim');
});
if (results.some(result => result.load_points.length > 1 && !result.series)) {
  add(page, 'h2', 'Latency over I/O rate');
  curves(page, results, name);
}
if (results.length > 1) {
  opKinds(page, results.filter(result => result.load_points.length).map(opMeans));
  configurations(page, results.map((result, i) => ['result ' + (i + 1), settings(result)]));
}
results.forEach(result => {
  if (results.length > 1) add(page, 'h2', name(result));
  if (result.series) {
    add(page, 'h2', result.series.parameter ? 'By ' + result.series.parameter : 'Repeats');
    series(page, result);
  }
  if (result.load_points.length) {
    add(page, 'h2', 'Load points');
    points(page, result);
    timeParts(page, result);
    detail(page, result);
  }
  add(page, 'h2', 'Environment');
  environment(page, result);
});
