import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startSandbox } from '../sandbox';
import { runUntilStopped } from './demo/until-stopped';
import { installHost } from './n8n/install';
import { N8nInstance } from './n8n/instance';
import { buildAndPack, installPackage } from './n8n/pack';
import { repositoryDir, workDir } from './n8n/paths';
import { filmTour } from './tour/play';
import { movingPng } from './tour/png';

const TOUR = join(repositoryDir, 'docs', 'images', 'tour.png');

const print = (line: string): void => console.log(line);

// Makes the moving picture of the README.
runUntilStopped('Stopping n8n and the sandbox.', async ({ closers, end }) => {
  await installHost(print);
  const userFolder = join(workDir(), 'tour');
  await rm(userFolder, { recursive: true, force: true });
  await installPackage(await buildAndPack(userFolder), userFolder);
  const sandbox = await startSandbox();
  closers.push(() => sandbox.close());
  const n8n = await N8nInstance.start({ userFolder });
  closers.push(() => n8n.stop());

  const film = await filmTour(n8n, sandbox);
  const picture = movingPng(film.frames);
  await writeFile(TOUR, picture);
  print(
    `${TOUR}: ${film.milliseconds / 1000} seconds, ${film.frames.length} pictures, ` +
      `${(picture.length / 1e6).toFixed(2)} MB`,
  );
  await end(0);
});
