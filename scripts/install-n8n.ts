import { runUntilStopped } from './demo/until-stopped';
import { installHost } from './n8n/install';

// Installs the n8n that the package is developed with, for tests and scripts that come later.
runUntilStopped('Stopping. The next run goes on from here.', async ({ end }) => {
  await installHost((line) => console.log(line));
  await end(0);
});
