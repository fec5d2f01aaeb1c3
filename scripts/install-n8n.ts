import { installHost } from './n8n/install';
import { SetupError } from './n8n/setup-error';

// Installs the n8n that the package is developed with, for tests and scripts that come later.
installHost((line) => console.log(line)).catch((error: unknown) => {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
});
