// Why a call of the dashboard is rejected, in whole sentences. English, Brazilian Portuguese, Spanish.
import type { Sentences } from "./sentence";

export const REJECTIONS: Sentences = [
  ["Something went wrong on our side.", "Algo deu errado do nosso lado.", "Algo falló de nuestro lado."],
  [
    "Something went wrong on our side. Upload the file again to complete it.",
    "Algo deu errado do nosso lado. Envie o arquivo de novo para concluir.",
    "Algo falló de nuestro lado. Vuelva a subir el archivo para completarlo.",
  ],
  ["The requested resource does not exist.", "O recurso solicitado não existe.", "El recurso solicitado no existe."],
  [
    "The operator of this service has suspended the merchant.",
    "O operador deste serviço suspendeu o lojista.",
    "El operador de este servicio suspendió el comercio.",
  ],
  [
    "The available balance does not cover the amount.",
    "O saldo disponível não cobre o valor.",
    "El saldo disponible no cubre el monto.",
  ],
  ["Sign in first.", "Entre antes.", "Inicie sesión antes."],
  [
    "You are signed out. Sign in again to go on.",
    "Sua sessão terminou. Entre de novo para continuar.",
    "Su sesión terminó. Inicie sesión de nuevo para continuar.",
  ],
  [
    "You are signed out. Sign in again to export.",
    "Sua sessão terminou. Entre de novo para exportar.",
    "Su sesión terminó. Inicie sesión de nuevo para exportar.",
  ],
  [
    "The service is temporarily unavailable; retry shortly.",
    "O serviço está temporariamente indisponível; tente de novo em instantes.",
    "El servicio no está disponible temporalmente; inténtelo de nuevo en breve.",
  ],
  [
    "The service configuration is incomplete; retry later.",
    "A configuração do serviço está incompleta; tente de novo mais tarde.",
    "La configuración del servicio está incompleta; inténtelo más tarde.",
  ],
  [
    "The object is changing too quickly; retry.",
    "O objeto está mudando rápido demais; tente de novo.",
    "El objeto está cambiando demasiado rápido; inténtelo de nuevo.",
  ],
  [
    "The top-up's totals are changing too quickly; retry.",
    "Os totais da recarga estão mudando rápido demais; tente de novo.",
    "Los totales de la recarga están cambiando demasiado rápido; inténtelo de nuevo.",
  ],
  [
    "The day's payouts are changing too quickly; retry.",
    "Os repasses do dia estão mudando rápido demais; tente de novo.",
    "Los desembolsos del día están cambiando demasiado rápido; inténtelo de nuevo.",
  ],
  [
    "No rate can be quoted now; retry.",
    "Não é possível cotar uma taxa agora; tente de novo.",
    "No se puede cotizar una tasa ahora; inténtelo de nuevo.",
  ],
  [
    "Too many requests; slow down.",
    "Requisições demais; vá mais devagar.",
    "Demasiadas solicitudes; vaya más despacio.",
  ],
  [
    "Too many streams are open; close other tabs.",
    "Há conexões demais abertas; feche outras abas.",
    "Hay demasiadas conexiones abiertas; cierre otras pestañas.",
  ],
  [
    "Too many exports are running; wait until one has ended.",
    "Há exportações demais em andamento; espere até que uma termine.",
    "Hay demasiadas exportaciones en curso; espere a que termine una.",
  ],
  ["The body is larger than {most} bytes.", "O corpo é maior que {most} bytes.", "El cuerpo supera los {most} bytes."],
  [
    "A request with this Idempotency-Key is still in progress.",
    "Uma requisição com esta Idempotency-Key ainda está em andamento.",
    "Una solicitud con esta Idempotency-Key sigue en curso.",
  ],
  [
    "The Idempotency-Key was used with a different request.",
    "A Idempotency-Key foi usada com outra requisição.",
    "La Idempotency-Key se usó con otra solicitud.",
  ],
  [
    "merchant_reference was used with a different {field:words}.",
    "Esta referência já foi usada, com outro dado: {field}.",
    "Esta referencia ya se usó, con otro dato: {field}.",
  ],
  ["The merchant has no such wallet.", "O lojista não tem essa carteira.", "El comercio no tiene esa billetera."],
  ["No merchant has this id.", "Nenhum lojista tem este id.", "Ningún comercio tiene este id."],
  [
    "An endpoint can be tested {times} times a minute.",
    "Um endpoint pode ser testado {times} vezes por minuto.",
    "Un endpoint se puede probar {times} veces por minuto.",
  ],
  // Exceptions and refunds.
  ["There is no such exception.", "Essa exceção não existe.", "Esa excepción no existe."],
  ["There is no such refund.", "Esse reembolso não existe.", "Ese reembolso no existe."],
  ["There is no such callback.", "Esse callback não existe.", "Ese callback no existe."],
  [
    "There is no such settlement file.",
    "Esse arquivo de liquidação não existe.",
    "Ese archivo de liquidación no existe.",
  ],
  ["This exception is already resolved", "Esta exceção já está resolvida", "Esta excepción ya está resuelta"],
  [
    "This exception belongs to no merchant",
    "Esta exceção não pertence a nenhum lojista",
    "Esta excepción no pertenece a ningún comercio",
  ],
  [
    "This exception's money is in suspense; settle it instead",
    "O dinheiro desta exceção está em conta transitória; decida sobre ele",
    "El dinero de esta excepción está en cuenta transitoria; decida sobre él",
  ],
  [
    "This exception's money is part of a refund; reject the refund or wait for its end",
    "Há um reembolso do dinheiro desta exceção; rejeite o reembolso ou espere que termine",
    "Hay un reembolso del dinero de esta excepción; rechace el reembolso o espere a que termine",
  ],
  [
    "Only a member can decide on an exception.",
    "Só um membro pode decidir sobre uma exceção.",
    "Solo un miembro puede decidir sobre una excepción.",
  ],
  [
    "Only the operator decides this, at the command line: the operator bears the cost.",
    "Só o operador decide isto, na linha de comando: o operador arca com o custo.",
    "Solo el operador decide esto, en la línea de comandos: el operador asume el costo.",
  ],
  [
    "Only a signed-in member decides on refunds.",
    "Só um membro com sessão aberta decide sobre reembolsos.",
    "Solo un miembro con sesión abierta decide sobre reembolsos.",
  ],
  [
    "The person who proposed a refund cannot confirm it.",
    "Quem propôs um reembolso não pode confirmá-lo.",
    "Quien propuso un reembolso no puede confirmarlo.",
  ],
  [
    "The person who proposed the refund may no longer do so; reject it, and propose it again.",
    "Quem propôs o reembolso não pode mais fazê-lo; rejeite-o e proponha de novo.",
    "Quien propuso el reembolso ya no puede hacerlo; rechácelo y vuelva a proponerlo.",
  ],
  [
    "Your authority is younger than the proposal; another person must confirm it.",
    "A sua permissão é mais recente que a proposta; outra pessoa deve confirmá-la.",
    "Su permiso es más reciente que la propuesta; otra persona debe confirmarla.",
  ],
  [
    "Only a member can upload a settlement file.",
    "Só um membro pode enviar um arquivo de liquidação.",
    "Solo un miembro puede subir un archivo de liquidación.",
  ],
];
