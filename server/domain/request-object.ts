// The object that an API request is about: the one that its address names, or the one that its answer shows.

const ID = /^[a-z]{2,8}_[0-9a-z]{26}$/;

interface AnsweredRequest {
  /** As the route table has it, with `:id` for the parameter; empty for an unknown path. */
  readonly route: string;
  /** With the API's base path, and perhaps a query. */
  readonly path: string;
  readonly status: number;
  /** The answer's parsed body. */
  readonly answer: unknown;
}

/** The object's id; null for lists, and for requests that were rejected before they reached an object. */
export function objectOfRequest({ route, path, status, answer }: AnsweredRequest): string | null {
  // Also rejected requests are about it, unless it is not there.
  const named = status === 404 ? null : namedId(route, path);
  return named ?? (status < 400 ? shownId(answer) : null);
}

function namedId(route: string, path: string): string | null {
  const [parts, segments] = [route.split("/"), (path.split("?")[0] ?? "").split("/")];
  const place = parts.indexOf(":id");
  const id = place === -1 ? undefined : segments[place + segments.length - parts.length];
  return id !== undefined && ID.test(id) ? id : null;
}

function shownId(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("id" in answer)) return null;
  return typeof answer.id === "string" && ID.test(answer.id) ? answer.id : null;
}
