// The pages of a BTCPay Server.

/** Returns the page of an invoice on the server; null for any other id. */
export function btcpayPage(url: string, id: string): string | null {
  return /^[A-Za-z0-9]{10,100}$/.test(id) ? `${url.replace(/\/+$/, "")}/invoices/${id}` : null;
}
