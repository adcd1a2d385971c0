// What the adapters to providers say of answers that nobody can act on without a person. Stored in English.
import type { Sentences } from "./sentence";

export const FINDINGS_OF_ADAPTERS: Sentences = [
  [
    "an internal error; the log describes it",
    "um erro interno; o log o descreve",
    "un error interno; el registro lo describe",
  ],
  ["the merchant has no such intent", "o lojista não tem essa operação", "el comercio no tiene esa operación"],
  [
    "the intent was never sent to this provider",
    "a operação nunca foi enviada a este provedor",
    "la operación nunca se envió a este proveedor",
  ],
  ["no answer in time", "sem resposta a tempo", "sin respuesta a tiempo"],
  ["no connection could be made", "não foi possível conectar", "no se pudo conectar"],
  [
    "the call was announced too long ago",
    "a chamada foi anunciada há tempo demais",
    "la llamada se anunció hace demasiado tiempo",
  ],
  ["an answer of over {most} bytes", "uma resposta de mais de {most} bytes", "una respuesta de más de {most} bytes"],
  [
    "an answer with status {status} that is not JSON",
    "uma resposta com status {status} que não é JSON",
    "una respuesta con estado {status} que no es JSON",
  ],
  [
    "an answer with status {status} that is not valid JSON",
    "uma resposta com status {status} que não é JSON válido",
    "una respuesta con estado {status} que no es JSON válido",
  ],
  [
    "an answer with status {status} that is not {provider}'s",
    "uma resposta com status {status} que não é de {provider}",
    "una respuesta con estado {status} que no es de {provider}",
  ],
  ["an answer without a status", "uma resposta sem status", "una respuesta sin estado"],
  ["an answer about another reference", "uma resposta sobre outra referência", "una respuesta sobre otra referencia"],
  ["an object with another reference", "um objeto com outra referência", "un objeto con otra referencia"],
  ["an order with another reference", "um pedido com outra referência", "un pedido con otra referencia"],
  ["a payment with another reference", "um pagamento com outra referência", "un pago con otra referencia"],
  ["a transaction with another reference", "uma transação com outra referência", "una transacción con otra referencia"],
  [
    "a transfer with another reference",
    "uma transferência com outra referência",
    "una transferencia con otra referencia",
  ],
  [
    "a refund with another reference or of another payment",
    "um reembolso com outra referência ou de outro pagamento",
    "un reembolso con otra referencia o de otro pago",
  ],
  ["an object that is malformed", "um objeto malformado", "un objeto mal formado"],
  ["a refund that is malformed", "um reembolso malformado", "un reembolso mal formado"],
  ["a transaction that is malformed", "uma transação malformada", "una transacción mal formada"],
  ["a transfer that is malformed", "uma transferência malformada", "una transferencia mal formada"],
  ["an amount that is malformed", "um valor malformado", "un monto mal formado"],
  ["a list that is not complete", "uma lista incompleta", "una lista incompleta"],
  ["a list that may not be complete", "uma lista que pode estar incompleta", "una lista que puede estar incompleta"],
  ["a list without an invoice", "uma lista sem fatura", "una lista sin factura"],
  ["a payment without a page", "um pagamento sem página", "un pago sin página"],
  [
    "a payment request without instructions yet",
    "um pedido de pagamento ainda sem instruções",
    "una solicitud de pago aún sin instrucciones",
  ],
  [
    "an address that is not safe for payers",
    "um endereço que não é seguro para pagadores",
    "una dirección que no es segura para los pagadores",
  ],
  [
    "an object that the payer cannot pay",
    "um objeto que o pagador não pode pagar",
    "un objeto que el pagador no puede pagar",
  ],
  ["Stripe did not close the payment", "A Stripe não encerrou o pagamento", "Stripe no cerró el pago"],
  [
    "Stripe lists too many objects of that time",
    "A Stripe lista objetos demais desse período",
    "Stripe lista demasiados objetos de ese momento",
  ],
  ["Stripe lists too many refunds", "A Stripe lista reembolsos demais", "Stripe lista demasiados reembolsos"],
  [
    "the reference is not known, and the key's account is not proven",
    "a referência não é conhecida, e a conta da chave não está comprovada",
    "la referencia no se conoce, y la cuenta de la clave no está comprobada",
  ],
  [
    "the provider does not know the reference",
    "o provedor não conhece a referência",
    "el proveedor no conoce la referencia",
  ],
];
