import { running } from './running';

/** Ends the n8n of the tests. */
export default async function tearDown(): Promise<void> {
  await running.n8n?.stop();
}
