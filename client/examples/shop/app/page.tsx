// The shelf. Each form has the id of the order that it places, so that sending it twice places one order.
import { randomUUID } from "node:crypto";
import { redirect } from "next/navigation";
import { buy } from "../shop/checkout";
import { PRODUCTS, priceText } from "../shop/products";

export const dynamic = "force-dynamic";

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

async function placeOrder(form: FormData): Promise<void> {
  "use server";
  const order = textOf(form, "order");
  redirect((await buy(order, textOf(form, "product"))) ? `/orders/${order}` : "/");
}

export default function ShelfPage() {
  return (
    <main>
      <h1>Corner shop</h1>
      {PRODUCTS.map(({ id, name, price }) => (
        <form
          key={id}
          action={placeOrder}
          style={{ alignItems: "center", display: "flex", gap: "1rem", padding: "0.5rem 0" }}
        >
          <input type="hidden" name="order" value={randomUUID()} />
          <input type="hidden" name="product" value={id} />
          <span style={{ flex: 1 }}>{name}</span>
          <span>{priceText(price)}</span>
          <button type="submit" aria-label={`Buy ${name}`}>
            Buy
          </button>
        </form>
      ))}
    </main>
  );
}
