export default function PaymentNotFound() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-md content-center gap-3 px-5">
      <h1 className="text-xl">There is no payment here</h1>
      <p className="text-ink-soft">
        The address may be incomplete. Open the link again from the shop, or ask the shop for a new one.
      </p>
    </main>
  );
}
