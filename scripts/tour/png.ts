import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };
const RGBA = 6;
const BYTES_PER_PIXEL = 4;

/** A picture: four bytes per pixel (red, green, blue, opacity), row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

/** One picture of several, and how long it is shown. */
export interface Frame {
  readonly picture: Picture;
  readonly milliseconds: number;
}

/** A part of a picture, in pixels. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function chunksOf(png: Buffer): Chunk[] {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error('This is not a PNG.');
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

/** The Paeth predictor of PNG: the neighbor that is nearest to left + above - corner. */
function paeth(left: number, above: number, corner: number): number {
  const fromLeft = Math.abs(above - corner);
  const fromAbove = Math.abs(left - corner);
  const fromCorner = Math.abs(left + above - 2 * corner);
  if (fromLeft <= fromAbove && fromLeft <= fromCorner) return left;
  return fromAbove <= fromCorner ? above : corner;
}

/** How a byte is predicted from its neighbors, by the number of the filter. */
const PREDICTIONS: ReadonlyArray<(left: number, above: number, corner: number) => number> = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/** Undoes the filter of each row. */
function unfilter(filtered: Buffer, rowBytes: number, height: number, step: number): Buffer {
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const from = y * (rowBytes + 1);
    const predict = PREDICTIONS[filtered[from]!]!;
    for (let x = 0; x < rowBytes; x++) {
      const at = y * rowBytes + x;
      const left = x < step ? 0 : rows[at - step]!;
      const above = y === 0 ? 0 : rows[at - rowBytes]!;
      const corner = x < step || y === 0 ? 0 : rows[at - rowBytes - step]!;
      rows[at] = filtered[from + 1 + x]! + predict(left, above, corner);
    }
  }
  return rows;
}

/**
 * Reads a screenshot that a browser took: a PNG with eight bits per channel and no palette.
 *
 * @throws Error when it is another kind of PNG
 */
export function readPng(png: Buffer): Picture {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR')!.data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, color, , , interlaced] = header.subarray(8);
  const channels = CHANNELS[color!];
  if (depth !== 8 || channels === undefined || interlaced !== 0) {
    throw new Error('Only a PNG with eight bits per channel and no palette can be read.');
  }
  const data = chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  if (color === RGBA) return { width, height, pixels: rows };
  const pixels = Buffer.alloc(width * height * BYTES_PER_PIXEL, 255);
  for (let i = 0; i < width * height; i++) rows.copy(pixels, i * 4, i * 3, i * 3 + 3);
  return { width, height, pixels };
}

/** The smallest area that contains all differences; `undefined` when there are none. */
function difference(before: Picture, after: Picture): Area | undefined {
  const { width, height } = after;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * BYTES_PER_PIXEL;
      if (after.pixels.readUInt32BE(at) === before.pixels.readUInt32BE(at)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0
    ? undefined
    : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** The rows of an area, compressed: where nothing changed, they are transparent. */
function rowsOf(area: Area, after: Picture, before: Picture | undefined): Buffer {
  const rowBytes = area.width * BYTES_PER_PIXEL + 1;
  // The first byte of each row says that it has no filter, which suits drawn pictures best.
  const rows = Buffer.alloc(rowBytes * area.height);
  for (let y = 0; y < area.height; y++) {
    for (let x = 0; x < area.width; x++) {
      const from = ((area.y + y) * after.width + area.x + x) * BYTES_PER_PIXEL;
      const pixel = after.pixels.readUInt32BE(from);
      if (before?.pixels.readUInt32BE(from) === pixel) continue;
      rows.writeUInt32BE(pixel, y * rowBytes + 1 + x * BYTES_PER_PIXEL);
    }
  }
  return deflateSync(rows, { level: 9 });
}

function chunk(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
  return Buffer.concat([numbers(body.length - 4), body, numbers(crc32(body))]);
}

/** Numbers of four bytes. */
const numbers = (...values: number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => buffer.writeUInt32BE(value, index * 4));
  return buffer;
};

/** Where an area is drawn over the picture so far, and how long it is shown. */
function control(sequence: number, { x, y, width, height }: Area, milliseconds: number): Buffer {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(milliseconds, 0);
  delay.writeUInt16BE(1000, 2);
  delay[5] = sequence === 0 ? 0 : 1;
  return chunk('fcTL', numbers(sequence, width, height, x, y), delay);
}

/** Frames that look the same become one that is shown longer. */
function merged(frames: readonly Frame[]): Frame[] {
  return frames.reduce<Frame[]>((shown, frame) => {
    const last = shown.at(-1);
    if (!last || difference(last.picture, frame.picture)) return [...shown, frame];
    const milliseconds = last.milliseconds + frame.milliseconds;
    return [...shown.slice(0, -1), { ...last, milliseconds }];
  }, []);
}

/**
 * Makes an animated PNG (APNG) that repeats. Viewers that don't know the format show
 * the first frame.
 *
 * @param frames of one size; at least one
 */
export function movingPng(frames: readonly Frame[]): Buffer {
  const shown = merged(frames);
  const { width, height } = shown[0]!.picture;
  const whole: Area = { x: 0, y: 0, width, height };
  let sequence = 0;
  const body = shown.flatMap(({ picture, milliseconds }, index) => {
    const before = shown[index - 1]?.picture;
    const area = (before && difference(before, picture)) ?? whole;
    const rows = rowsOf(area, picture, before);
    const head = control(sequence++, area, milliseconds);
    return index === 0
      ? [head, chunk('IDAT', rows)]
      : [head, chunk('fdAT', numbers(sequence++), rows)];
  });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', numbers(width, height), Buffer.from([8, RGBA, 0, 0, 0])),
    chunk('acTL', numbers(shown.length, 0)),
    ...body,
    chunk('IEND'),
  ]);
}
