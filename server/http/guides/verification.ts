// The code that verifies a message, taken from the document that explains it.
import { plainText, readGuide } from "./guide";

interface Snippet {
  readonly language: string;
  /** What the document says before it. */
  readonly lead: string;
  readonly code: string;
}

const LANGUAGES: Readonly<Record<string, string>> = { ts: "TypeScript", python: "Python", go: "Go" };
const BLOCK = /([^\n]+(?:\n[^\n]+)*)\n\n```(\w+)\n([\s\S]*?)\n```/g;

/** The snippets of the section "Verify it", in its order. */
export async function verificationSnippets(): Promise<Snippet[]> {
  const { sections } = await readGuide("webhooks");
  const text = sections.find(({ id }) => id === "verify-it")?.text ?? "";
  return [...text.matchAll(BLOCK)].map(([, lead = "", fence = "", code = ""]) => ({
    language: LANGUAGES[fence] ?? fence,
    lead: plainText(lead),
    code,
  }));
}
