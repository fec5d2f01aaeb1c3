import type { Sample } from './samples';

const WIDTH = 860;
const HEIGHT = 300;
const LEFT = 60;
const RIGHT = 220;
const TOP = 40;
const BOTTOM = 40;
const COLORS = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2'];
const MAX_LINES = 7;

type Series = Record<string, number>;

/** Draws one panel: a line for each name, over time. Draws those with the highest values only. */
function panel(title: string, samples: Sample[], pick: (sample: Sample) => Series): string {
  const last = samples.at(-1);
  if (!last) return '';
  const highest = (name: string) => Math.max(...samples.map((sample) => pick(sample)[name] ?? 0));
  const names = [...new Set(samples.flatMap((sample) => Object.keys(pick(sample))))]
    .sort((a, b) => highest(b) - highest(a))
    .slice(0, MAX_LINES);
  const top = Math.max(1, ...names.map(highest));
  const x = (seconds: number) => LEFT + (seconds / last.seconds) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const lines = names.map((name, index) => {
    const color = COLORS[index % COLORS.length] ?? 'black';
    const points = samples
      .map((sample) => `${x(sample.seconds).toFixed(1)},${y(pick(sample)[name] ?? 0).toFixed(1)}`)
      .join(' ');
    const legendY = TOP + 20 * index;
    return `<polyline fill="none" stroke="${color}" stroke-width="2" points="${points}"/>
<text x="${WIDTH - RIGHT + 16}" y="${legendY}" fill="${color}">${name}: ${pick(last)[name] ?? 0}</text>`;
  });
  const axis = `M ${LEFT} ${TOP} V ${HEIGHT - BOTTOM} H ${WIDTH - RIGHT}`;
  return `<text x="${LEFT}" y="20" font-weight="bold">${title}</text>
<path d="${axis}" fill="none" stroke="gray"/>
<text x="${LEFT - 8}" y="${TOP + 4}" text-anchor="end">${top}</text>
<text x="${LEFT - 8}" y="${HEIGHT - BOTTOM}" text-anchor="end">0</text>
<text x="${WIDTH - RIGHT}" y="${HEIGHT - BOTTOM + 18}" text-anchor="end">${Math.round(last.seconds)} s</text>
${lines.join('\n')}`;
}

/** Draws memory, rows and sizes over time as an SVG image. */
export function drawSamples(samples: Sample[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${3 * HEIGHT}" font-family="sans-serif" font-size="13">
<rect width="100%" height="100%" fill="white"/>
<g>${panel('Memory of each process (MB)', samples, ({ memory }) => memory)}</g>
<g transform="translate(0 ${HEIGHT})">${panel('Rows of the tables with most', samples, ({ rows }) => rows)}</g>
<g transform="translate(0 ${2 * HEIGHT})">${panel('Size of the largest tables (MB)', samples, ({ size }) => size)}</g>
</svg>
`;
}
