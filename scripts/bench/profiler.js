// Preloaded into n8n: SIGUSR2 starts a profile of the CPU, and ends it with a file.

const { writeFileSync, renameSync } = require('node:fs');
const { Session } = require('node:inspector');

const INTERVAL_US = 250;

let session;
let before;

process.on('SIGUSR2', () => {
  const { CPU_PROFILE } = process.env;
  if (!CPU_PROFILE) return;
  if (session === undefined) {
    session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    session.post('Profiler.start');
    before = process.cpuUsage();
    return;
  }
  const { user, system } = process.cpuUsage(before);
  session.post('Profiler.stop', (error, result) => {
    if (error) throw error;
    const profile = { ...result.profile, cpuTime: user + system };
    writeFileSync(`${CPU_PROFILE}.part`, JSON.stringify(profile));
    renameSync(`${CPU_PROFILE}.part`, CPU_PROFILE);
  });
  session.disconnect();
  session = undefined;
});
