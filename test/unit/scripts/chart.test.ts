import { drawSamples } from '../../../scripts/soak/chart';

const sample = (seconds: number, main: number) => ({
  seconds,
  memory: { main, Redis: 10 },
  rows: { execution_entity: main },
  size: { execution_data: 0.5 },
});

test('each value over time is a line with its name and its last value', () => {
  const svg = drawSamples([sample(0, 100), sample(30, 200), sample(60, 150)]);
  // From the left to the right edge; 200 is the top of the panel, at 40, and 0 its bottom, at 260.
  expect(svg).toContain('points="60.0,150.0 350.0,40.0 640.0,95.0"');
  expect(svg.match(/<polyline/g)).toHaveLength(4);
  for (const text of ['main: 150', 'Redis: 10', 'execution_entity: 150', 'execution_data: 0.5']) {
    expect(svg).toContain(text);
  }
});

test('a panel has the seven lines with the highest values', () => {
  const memory = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`p${index}`, index]));
  const svg = drawSamples([{ seconds: 1, memory, rows: {}, size: {} }]);
  expect(svg.match(/<polyline/g)).toHaveLength(7);
  expect(svg).toContain('p8: 8');
  expect(svg).not.toContain('p1: 1');
});
