/**
 * Returns the URL, relative to `base` if given, or null if the text is invalid. Does not use URL.canParse, which in Node 20 rejects "bücher.example"
 * once compiled.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
