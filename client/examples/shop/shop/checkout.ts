// Turns orders into payments, and payments into the states of orders.
import type { PaymentIntent } from "@sluice/client";
import { type End, endOrder, findOrder, isOrderId, type Order, placeOrder, recordPayment } from "./orders";
import { PRODUCTS } from "./products";
import { sluice } from "./sluice";

/** Stores an order under the id that its form had: a form that is sent twice is one order. Returns false for nonsense. */
export async function buy(orderId: string, productId: string): Promise<boolean> {
  const product = PRODUCTS.find(({ id }) => id === productId);
  if (!product || !isOrderId(orderId)) return false;
  await placeOrder(orderId, { productId, amount: product.price });
  return true;
}

/**
 * Returns the payment of an order, and creates it the first time. Should this process stop anywhere in between, the next
 * call continues: the same reference and key return the same payment.
 */
export async function paymentOf({ id, amount, productId, paymentId }: Order): Promise<PaymentIntent> {
  if (paymentId !== null) return sluice().paymentIntents.get(paymentId);
  const payment = await sluice().paymentIntents.create(
    {
      amount: BigInt(amount),
      currency: "BRL",
      country: "BR",
      payment_method: "BR_PIX",
      merchant_reference: id,
      description: PRODUCTS.find((product) => product.id === productId)?.name ?? productId,
      return_url: new URL(`/orders/${id}`, process.env.SHOP_URL ?? "http://localhost:4000").href,
    },
    { idempotencyKey: id },
  );
  await recordPayment(id, payment.id);
  return payment;
}

function endOf(order: Order, { status, amount, currency }: PaymentIntent): End | null {
  if (status === "failed" || status === "expired") return status;
  return status === "succeeded" && amount === BigInt(order.amount) && currency === "BRL" ? "paid" : null;
}

/** Gives an open order the final state of its payment, if there is one, and returns the order. */
export async function settle(order: Order, payment: PaymentIntent): Promise<Order> {
  const end = order.state === "open" ? endOf(order, payment) : null;
  if (end) await endOrder(order.id, end);
  return (await findOrder(order.id)) ?? order;
}

/**
 * Reads a payment that an event was about, and settles its order. Events arrive at least once and in any order, so only
 * what the API says counts.
 */
export async function paymentChanged(paymentId: string): Promise<void> {
  const payment = await sluice().paymentIntents.get(paymentId);
  const order = await findOrder(payment.merchant_reference);
  if (order) await settle(order, payment);
}
