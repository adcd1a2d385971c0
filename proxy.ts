// The headers of pages. Their content policy runs only our own scripts, by a nonce that is new for every page.
import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { strictTransport } from "@/server/http/strict-transport";
import { isDevelopment } from "@/server/platform/env";

/** Styles may be inline, since components place things by style attributes; nothing comes from, or is shown in, elsewhere. */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment() ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Who may see a page is decided in the page: this neither knows nor asks. */
export function proxy(request: NextRequest): NextResponse {
  const policy = contentPolicy(randomBytes(16).toString("base64"));
  const headers = new Headers(request.headers);
  // Next reads the nonce from here and puts it onto the scripts that it writes.
  headers.set("content-security-policy", policy);
  headers.set("x-sluice-path", request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  for (const [name, value] of Object.entries(strictTransport())) response.headers.set(name, value);
  return response;
}

/** Pages only: the APIs set their own headers, files need none. */
export const config = {
  matcher: ["/((?!v1(?:/|$)|providers/|healthz$|readyz$|metrics$|openapi\\.json$|api/|_next/|icon\\.svg).*)"],
};
