import { installHost } from '/work/main/scripts/n8n/install';
import { installationOf } from '/work/main/scripts/n8n/installation';
void installHost((l) => console.log(l), installationOf()).then(async () => {
  for (const v of process.argv.slice(2))
    await installHost((l) => console.log(l), installationOf(v));
});
