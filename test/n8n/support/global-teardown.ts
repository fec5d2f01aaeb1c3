import { running } from './running';

/** Stops the n8n of each jest worker. */
export default async function tearDown(): Promise<void> {
  await Promise.all(running.map((n8n) => n8n.stop()));
}
