// What procedures answer in English words, in the reader's language: one place, so that none is forgotten.
import type { DashboardLanguage } from "@/server/domain/dashboard-languages";
import { translate, wordIn } from "@/server/domain/texts/translate";

/** The members of answers that hold sentences of the service. Ids, codes and what people wrote are in others. */
const SENTENCES: ReadonlySet<string> = new Set([
  "why",
  "message",
  "failure",
  "failure_message",
  "error_detail",
  "description",
  "warnings",
]);

/** Members that hold what was sent or received, word for word. */
const VERBATIM: ReadonlySet<string> = new Set([
  "body",
  "payload",
  "request_body",
  "response_body",
  "example",
  "before",
  "after",
]);

/** Codes in an exception's detail, which its page shows among sentences. */
const CODES: ReadonlySet<string> = new Set(["booked_to", "policy", "reported", "reason"]);

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}

/**
 * The answer with its sentences in the language. What is none of the service's own, such as a provider's message, stays as
 * it is, and so does everything that is no plain object or list, such as a stream.
 */
export function inReadersWords<Answer>(language: DashboardLanguage, answer: Answer): Answer {
  if (language === "en") return answer;
  return walk(language, answer) as Answer;
}

function walk(language: DashboardLanguage, value: unknown, isDetail = false): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(language, item));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (VERBATIM.has(name)) return [name, member];
      if (SENTENCES.has(name) && typeof member === "string") return [name, translate(language, member)];
      if (SENTENCES.has(name) && isTexts(member)) return [name, member.map((text) => translate(language, text))];
      if (isDetail && CODES.has(name) && typeof member === "string") return [name, wordIn(language, member)];
      return [name, walk(language, member, name === "detail")];
    }),
  );
}
