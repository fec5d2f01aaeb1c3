/** Whether a text is an absolute http or https URL. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  try {
    // After many calls, URL.canParse in Node.js 20 starts to refuse letters such as "ü".
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}
