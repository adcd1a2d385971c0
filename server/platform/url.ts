/**
 * Returns the URL, or null if the text is invalid. Does not use URL.canParse, which in Node 20 rejects "bücher.example"
 * once compiled.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
