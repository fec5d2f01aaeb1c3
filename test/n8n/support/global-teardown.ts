import { running } from './running';

/** Stops the n8n of the tests. */
export default async function tearDown(): Promise<void> {
  await running.n8n?.stop();
}
