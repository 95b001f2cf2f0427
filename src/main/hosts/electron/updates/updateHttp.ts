import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import https from 'node:https';
import { getCACertificates } from 'node:tls';
import { configureRequestUrl, type DownloadOptions, HttpExecutor } from 'builder-util-runtime';
import type { Network } from '../../../core/ports.ts';

/** The updater's requests. By default it would send an id of the installation and its own name: here the server gets only the version. */
export class UpdateHttp extends HttpExecutor<ClientRequest> {
  private readonly version: string;
  private agent: https.Agent | undefined;

  constructor(version: string) {
    super();
    this.version = version;
  }

  /**
   * Sets the present proxy and authorities before each check. Throws if the proxy cannot be used, since a direct connection must not replace
   * it.
   */
  async use(network: Network, server: URL): Promise<void> {
    const proxy = await network.proxyFor(server);
    if (typeof proxy === 'object') throw new Error(proxy.unusable);
    if (proxy?.startsWith('socks5:')) throw new Error('Updates cannot be fetched through a SOCKS proxy.');
    const proxyEnv =
      proxy === undefined ? {} : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: 'localhost,127.0.0.1,::1' };
    const ca = [...getCACertificates('default'), ...network.authorities()];
    this.agent = new https.Agent({ proxyEnv, ca });
  }

  /** Like the updater's own executor: to a file, which is verified against its checksum. */
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const request: RequestOptions = {};
      configureRequestUrl(url, request);
      const callback = (error: Error | null) => (error ? reject(error) : resolve(destination));
      this.doDownload(request, { destination, options, onCancel, callback, responseHandler: null }, 0);
    });
  }

  /** Only https, also after redirects: otherwise anybody between could replace the program together with its checksum. */
  override createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    const [path] = (options.path ?? '/').split('?', 1);
    const { hostname, port, method } = options;
    const headers = { 'user-agent': `Dailies/${this.version}`, accept: '*/*' };
    const request = { protocol: 'https:', hostname, port, method, path, headers, agent: this.agent };
    return https.request(request as RequestOptions, callback);
  }
}
