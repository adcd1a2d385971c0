/** The URL, or null when the text is none. Not by URL.canParse, which in Node 20 denies "bücher.example" once compiled. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
