// Preloaded into n8n: ends it when the process that started it ends, even if that one is killed.
// Nobody reads n8n's output then, and n8n would log every failed write without end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
