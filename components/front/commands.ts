// The commands that several pages show to developers.

/** Creates a payment at that origin, with the keys in the shell's variables. */
export const createPaymentCommand = (baseUrl: string) => `curl ${baseUrl}/v1/payment_intents \\
  -u "$SLUICE_PUBLIC_KEY:$SLUICE_SECRET_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "amount": "1250",
    "currency": "BRL",
    "country": "BR",
    "payment_method": "BR_PIX",
    "merchant_reference": "first-payment"
  }'`;
