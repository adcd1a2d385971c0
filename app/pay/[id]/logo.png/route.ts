// The logo of a payment's merchant as a PNG file.
import { payerLogoAnswer } from "@/server/http/payer/answers";

interface Context {
  readonly params: Promise<{ readonly id: string }>;
}

export const dynamic = "force-dynamic";

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return payerLogoAnswer(request, (await params).id);
}
