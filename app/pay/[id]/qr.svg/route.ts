// The QR code of a payment as an SVG file.
import { payerQrAnswer } from "@/server/http/payer/answers";

interface Context {
  readonly params: Promise<{ readonly id: string }>;
}

export const dynamic = "force-dynamic";

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return payerQrAnswer(request, (await params).id, "svg");
}
