import { isAuthorized, prisma, readerId } from "../../../../client";

export const dynamic = "force-dynamic";

interface Context {
  readonly params: Promise<{ readonly id: string }>;
}

export async function GET(request: Request, { params }: Context): Promise<Response> {
  if (!isAuthorized(request)) return Response.json({ error: { code: "unauthorized" } }, { status: 401 });
  const { id } = await params;
  const row = await prisma.paymentIntent.findFirst({ where: { merchantId: readerId, environment: "test", id } });
  return row ? Response.json(row) : Response.json({ error: { code: "not_found" } }, { status: 404 });
}
