/** How long the service may take for one response, in milliseconds. */
export const RESPONSE_TIMEOUT = 60_000;

/** How long it may take while a user waits for the test of a credential, in milliseconds. */
export const TEST_TIMEOUT = 20_000;
