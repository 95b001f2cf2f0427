import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import https from 'node:https';
import { getCACertificates } from 'node:tls';
import { configureRequestUrl, type DownloadOptions, HttpExecutor } from 'builder-util-runtime';
import type { Network } from '../../../core/ports.ts';

/**
 * The requests of the updater. It would send a lasting number of this installation and its own name: here the server is told the version
 * and nothing else.
 */
export class UpdateHttp extends HttpExecutor<ClientRequest> {
  private readonly version: string;
  private agent: https.Agent | undefined;

  constructor(version: string) {
    super();
    this.version = version;
  }

  /** Before each check: the proxy and the authorities of now. Throws where that proxy cannot be used: a direct connection is none of its. */
  async use(network: Network, server: URL): Promise<void> {
    const proxy = await network.proxyFor(server);
    if (typeof proxy === 'object') throw new Error(proxy.unusable);
    if (proxy?.startsWith('socks5:')) throw new Error('Updates cannot be fetched through a SOCKS proxy.');
    const proxyEnv =
      proxy === undefined ? {} : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: 'localhost,127.0.0.1,::1' };
    const ca = [...getCACertificates('default'), ...network.authorities()];
    this.agent = new https.Agent({ proxyEnv, ca });
  }

  /** As the updater's own executor has it: to a file, which is compared with its checksum on the way. */
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const request: RequestOptions = {};
      configureRequestUrl(url, request);
      const callback = (error: Error | null) => (error ? reject(error) : resolve(destination));
      this.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0);
    });
  }

  /** Over https, wherever a redirect leads: whoever sits between could put another program, with its checksum, in the place of the new one. */
  override createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    const [path] = (options.path ?? '/').split('?', 1);
    const { hostname, port, method } = options;
    const headers = { 'user-agent': `Dailies/${this.version}`, accept: '*/*' };
    const request = { protocol: 'https:', hostname, port, method, path, headers, agent: this.agent };
    return https.request(request as RequestOptions, callback);
  }
}
