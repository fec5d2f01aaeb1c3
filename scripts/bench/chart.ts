import { type Comparison, leastFavourable, medians } from './report';

const WIDTH = 720;
const LEFT = 170;
const BAR = 16;
const GROUP = 76;
const TOP = 100;
const TITLE = 'How long it takes: this node and the HTTP Request node';
const OURS = '#5b4be1';
const OTHERS = '#94a3b8';

const escape = (text: string): string =>
  text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x}" y="${y}" ${attributes}>${escape(content)}</text>`;

interface Bar {
  label: string;
  color: string;
  share: number;
  figure: string;
}

function group(name: string, bars: Bar[], top: number): string {
  const full = WIDTH - LEFT - 190;
  return [
    text(0, top, name, 'font-weight="600"'),
    ...bars.flatMap(({ label, color, share, figure }, index) => {
      const y = top + 12 + index * (BAR + 6);
      const width = Math.max(2, full * share);
      return [
        text(LEFT - 10, y + 12, label, 'text-anchor="end"'),
        `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="3" fill="${color}"/>`,
        text(LEFT + width + 8, y + 12, figure),
      ];
    }),
  ].join('\n');
}

/**
 * Draws time and requests as horizontal bars, each group to its own scale: for each task the pair of
 * ways that is the least favourable to our node.
 *
 * @returns an SVG document that is legible on a light and on a dark page
 */
export function chart(comparisons: Comparison[], caption: string): string {
  const groups = comparisons.map((comparison, index) => {
    const least = leastFavourable(comparison);
    const ours = medians(least.ours.rounds);
    const others = medians(least.others.rounds);
    const longest = Math.max(ours.requestNodeMs, others.requestNodeMs);
    const bars: Bar[] = [
      { label: 'this node', color: OURS, side: ours },
      { label: 'HTTP Request node', color: OTHERS, side: others },
    ].map(({ label, color, side }) => ({
      label,
      color,
      share: side.requestNodeMs / longest,
      figure: `${(side.requestNodeMs / 1000).toFixed(2)} seconds, ${side.requests} request${side.requests === 1 ? '' : 's'}`,
    }));
    const name = `${comparison.name} (each answer takes ${comparison.latencyMs / 1000} seconds)`;
    return group(name, bars, TOP + index * GROUP);
  });
  const height = TOP + comparisons.length * GROUP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 0 ${WIDTH + 32} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#64748b" role="img">`,
    text(0, 26, TITLE, 'font-size="18" font-weight="600"'),
    text(
      0,
      48,
      'Shorter is better. This node is shown at its slowest, the HTTP Request node at its fastest.',
    ),
    text(0, 68, caption, 'font-size="12"'),
    ...groups,
    '</svg>',
    '',
  ].join('\n');
}
