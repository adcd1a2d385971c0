// Requests of the page behind a one-time link.

/** `link`: it cannot be used; `password`: another password may be accepted; `unavailable`: try again later. */
export type LinkRefusal = "link" | "password" | "unavailable";

type LinkAnswer<Body> =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly refusal: LinkRefusal; readonly message: string };

const REFUSAL_OF: Readonly<Record<number, LinkRefusal>> = { 400: "password", 404: "link" };

/** Sends a form to the service; never throws. */
export async function sendToLink<Body>(form: "look-up" | "choose-password", values: object): Promise<LinkAnswer<Body>> {
  try {
    const response = await fetch(`/api/one-time-link/${form}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(values),
    });
    const body: unknown = await response.json();
    if (response.ok) return { ok: true, body: body as Body };
    const { error } = body as { error: { message: string } };
    return { ok: false, refusal: REFUSAL_OF[response.status] ?? "unavailable", message: error.message };
  } catch {
    return { ok: false, refusal: "unavailable", message: "" };
  }
}
