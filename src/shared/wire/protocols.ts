/** The API formats of clips and pictures. */

/** The specification's own formats (spec 2.2, and 4.2 to 4.4). */
export const OWN_PROTOCOLS = { video: 'videoInChat', image: 'imageTasks' } as const;

export type Medium = keyof typeof OWN_PROTOCOLS;
export type MediaProtocols = Record<Medium, string>;

/** An omitted medium has the format that was found, or the specification's. */
export type Protocols = { chat?: 'chat' | undefined } & { [Name in Medium]?: string | undefined };

/** The formats in use: set by the user, else found, else the specification's. */
export function protocolsOf({
  protocols,
  spoken,
}: {
  protocols?: Protocols | undefined;
  spoken?: Protocols | undefined;
}): MediaProtocols {
  return {
    video: protocols?.video ?? spoken?.video ?? OWN_PROTOCOLS.video,
    image: protocols?.image ?? spoken?.image ?? OWN_PROTOCOLS.image,
  };
}
