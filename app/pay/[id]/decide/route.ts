// What the payer of a test payment decides.
import { payerDecisionAnswer } from "@/server/http/payer/answers";

interface Context {
  readonly params: Promise<{ readonly id: string }>;
}

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return payerDecisionAnswer(request, (await params).id);
}
