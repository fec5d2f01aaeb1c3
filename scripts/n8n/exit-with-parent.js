// Loaded into n8n before n8n itself: ends it when the process that started it is gone, even killed.
// Nobody reads n8n's output then, and n8n would log each failure to write, for ever.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
