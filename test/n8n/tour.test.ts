import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { type Sandbox, startSandbox } from '../../sandbox';
import { openBrowser } from '../../scripts/n8n/browser';
import type { N8nInstance } from '../../scripts/n8n/instance';
import { workDir } from '../../scripts/n8n/paths';
import { filmTour } from '../../scripts/tour/play';
import { movingPng } from '../../scripts/tour/png';
import { startFreshN8n } from './support/fresh';
import { keepPicture } from './support/pictures';

let n8n: N8nInstance;
let sandbox: Sandbox;

beforeAll(async () => {
  n8n = await startFreshN8n(join(workDir(), 'tour-test'));
  sandbox = await startSandbox();
});

afterAll(async () => {
  await sandbox?.close();
  await n8n?.stop();
});

interface Shown {
  milliseconds: number;
  /** Of the pixels. */
  hash: string;
}

/** What a browser shows of a moving picture. */
async function shown(picture: Buffer): Promise<{ isEndless: boolean; frames: Shown[] }> {
  const { browser, page } = await openBrowser(n8n.origin);
  try {
    return await page.evaluate(`(async () => {
      const data = Uint8Array.from(atob('${picture.toString('base64')}'), (one) => one.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type: 'image/png' });
      await Promise.all([decoder.completed, decoder.tracks.ready]);
      const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
      const frames = [];
      for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
        const { image } = await decoder.decode({ frameIndex });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        const hash = await crypto.subtle.digest('SHA-256', data);
        frames.push({
          milliseconds: image.duration / 1000,
          hash: [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
        });
      }
      return { isEndless: repetitionCount === Infinity, frames };
    })()`);
  } finally {
    await browser.close();
  }
}

test('the tour schedules and publishes a post, and a browser shows each of its pictures', async () => {
  const film = await filmTour(n8n, sandbox);
  const post = sandbox.store.posts.at(-1);
  expect(post?.variants.map(({ status }) => status)).toEqual(['published', 'published']);

  const picture = movingPng(film.frames);
  await keepPicture('tour', picture);
  expect(picture.length).toBeLessThan(3_000_000);
  expect(film.milliseconds).toBeLessThan(20_000);

  const { isEndless, frames } = await shown(picture);
  expect(isEndless).toBe(true);
  expect(frames.reduce((sum, { milliseconds }) => sum + milliseconds, 0)).toBe(film.milliseconds);
  const filmed = film.frames.map(({ picture: { pixels } }) =>
    createHash('sha256').update(pixels).digest('hex'),
  );
  // Pictures that are the same follow each other as one.
  expect(frames.map(({ hash }) => hash)).toEqual(
    filmed.filter((hash, index) => hash !== filmed[index - 1]),
  );
});
