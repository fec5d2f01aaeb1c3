// Preloaded into n8n.

const os = require('node:os');

// Ends n8n when the process that started it ends, even if that one is killed. Nobody reads n8n's output
// then, and n8n would log every failed write without end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

// In a container, n8n names its processes after the host. Here, several of them share one.
const { HOST_NAME } = process.env;
if (HOST_NAME) os.hostname = () => HOST_NAME;
