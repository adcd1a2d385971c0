// What became of deliveries of webhooks and notifications, and what events mean. English, Brazilian Portuguese, Spanish.
import type { Sentences } from "./sentence";

export const DELIVERIES: Sentences = [
  [
    "The connection was not established in time.",
    "A conexão não foi estabelecida a tempo.",
    "La conexión no se estableció a tiempo.",
  ],
  [
    "The answer's headers are larger than 16 KiB.",
    "Os cabeçalhos da resposta são maiores que 16 KiB.",
    "Los encabezados de la respuesta superan 16 KiB.",
  ],
  [
    "The receiver's certificate cannot be trusted: {fault:words}.",
    "O certificado do receptor não é confiável: {fault}.",
    "El certificado del receptor no es de confianza: {fault}.",
  ],
  ["it has expired", "expirou", "venció"],
  ["it is not valid yet", "ainda não é válido", "aún no es válido"],
  ["it is self-signed", "é autoassinado", "es autofirmado"],
  [
    "its chain ends in an unknown authority",
    "a cadeia termina em uma autoridade desconhecida",
    "su cadena termina en una autoridad desconocida",
  ],
  ["its authority is unknown", "a autoridade é desconhecida", "su autoridad es desconocida"],
  [
    "its authority is unknown, or an intermediate certificate is missing",
    "a autoridade é desconhecida, ou falta um certificado intermediário",
    "su autoridad es desconocida, o falta un certificado intermedio",
  ],
  ["it belongs to another host", "pertence a outro host", "pertenece a otro host"],
  [
    "The receiver did not complete the TLS handshake.",
    "O receptor não concluiu a negociação TLS.",
    "El receptor no completó la negociación TLS.",
  ],
  [
    "The receiver did not answer in valid HTTP.",
    "O receptor não respondeu em HTTP válido.",
    "El receptor no respondió en HTTP válido.",
  ],
  ["The receiver refused the connection.", "O receptor recusou a conexão.", "El receptor rechazó la conexión."],
  ["The receiver cannot be reached.", "Não é possível contatar o receptor.", "No se puede contactar al receptor."],
  [
    "The receiver closed the connection before its answer was complete.",
    "O receptor fechou a conexão antes de completar a resposta.",
    "El receptor cerró la conexión antes de completar su respuesta.",
  ],
  [
    "The receiver did not answer within {seconds} seconds.",
    "O receptor não respondeu em {seconds} segundos.",
    "El receptor no respondió en {seconds} segundos.",
  ],
  [
    "The receiver did not finish its answer within {seconds} seconds.",
    "O receptor não terminou a resposta em {seconds} segundos.",
    "El receptor no terminó su respuesta en {seconds} segundos.",
  ],
  ["{detail:words} Its status was {status}.", "{detail} O status foi {status}.", "{detail} Su estado fue {status}."],
  ["The endpoint's URL {why:words}.", "A URL do endpoint: {why}.", "La URL del endpoint: {why}."],
  ["The receiver answered {status}.", "O receptor respondeu {status}.", "El receptor respondió {status}."],
  ["The mail was not accepted: {why}.", "O e-mail não foi aceito: {why}.", "El correo no se aceptó: {why}."],
  [
    "It could not be put together; the log of the service has the reason.",
    "Não foi possível montar a mensagem; o log do serviço tem o motivo.",
    "No se pudo componer el mensaje; el registro del servicio tiene el motivo.",
  ],
  [
    "It was over, or its receiver may no longer see it.",
    "O assunto terminou, ou quem recebe não pode mais vê-lo.",
    "El asunto terminó, o quien lo recibe ya no puede verlo.",
  ],
  // What events mean.
  [
    "The payment intent reached succeeded; funds are credited to the merchant wallet.",
    "O pagamento foi concluído; os fundos foram creditados na carteira do lojista.",
    "El pago se completó; los fondos se acreditaron en la billetera del comercio.",
  ],
  ["The payment intent reached failed.", "O pagamento falhou.", "El pago falló."],
  [
    "The payment intent expired unpaid within its window.",
    "O pagamento expirou sem ser pago no prazo.",
    "El pago venció sin pagarse en su plazo.",
  ],
  [
    "The payout settled at the PSP and left the merchant wallet.",
    "O repasse foi liquidado no provedor e saiu da carteira do lojista.",
    "El desembolso se liquidó en el proveedor y salió de la billetera del comercio.",
  ],
  [
    "The payout failed at the PSP after dispatch.",
    "O repasse falhou no provedor depois do envio.",
    "El desembolso falló en el proveedor después del envío.",
  ],
  [
    "The payout was cancelled before dispatch.",
    "O repasse foi cancelado antes do envio.",
    "El desembolso se canceló antes del envío.",
  ],
];
