/** Whether a text is an absolute http or https URL. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  try {
    // URL.canParse comes to refuse letters such as "ü" in Node.js 20 once it has been called often.
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}
