// Loaded into n8n before n8n itself: ends it when the process that started it is gone, even killed.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
