// An order: what its customer must do, and then that it is paid.
import { notFound } from "next/navigation";
import { paymentOf, settle } from "../../../shop/checkout";
import { findOrder } from "../../../shop/orders";
import { PRODUCTS, priceText } from "../../../shop/products";
import { Refresh } from "./refresh";

export const dynamic = "force-dynamic";

const WORDS = {
  open: "Waiting for your payment",
  paid: "Paid. Thank you!",
  failed: "The payment was declined. Nothing was charged.",
  expired: "Nobody paid in time. Nothing was charged.",
} as const;

interface OrderPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

export default async function OrderPage({ params }: OrderPageProps) {
  const placed = await findOrder((await params).id);
  if (!placed) notFound();
  const payment = placed.state === "open" ? await paymentOf(placed) : null;
  // Also here, so that an order is not stuck while a webhook is late.
  const order = payment ? await settle(placed, payment) : placed;
  const next = order.state === "open" && payment?.status === "requires_action" ? payment.next_action : null;
  return (
    <main>
      <h1>
        {PRODUCTS.find(({ id }) => id === order.productId)?.name}, {priceText(order.amount)}
      </h1>
      <output style={{ display: "block" }}>{WORDS[order.state]}</output>
      {next?.type === "display_qr_code" ? (
        <>
          <img src={next.image_url_svg} alt="QR code for Pix" width={220} height={220} />
          <p>
            Or copy the code: <code style={{ wordBreak: "break-all" }}>{next.data}</code>
          </p>
          <p>
            <a href={next.hosted_instructions_url}>Instructions for this payment</a>
          </p>
        </>
      ) : null}
      {next?.type === "redirect_to_url" ? <a href={next.url}>Pay</a> : null}
      {order.state === "open" ? <Refresh /> : null}
    </main>
  );
}
