import type { StudioRequest } from '../../../../shared/request.ts';
import { useCall } from '../../../app/index.ts';
import { PriceTag } from '../../../ui/index.ts';

/** What the button beside it would cost. Image prices are the user's own: the service lists none (spec 8). */
export function Estimate({ request, what }: { request: StudioRequest; what: string }) {
  const estimate = useCall('ledger.estimate', { requests: [request] }, { debounceMs: 200, on: ['profiles.changed'] });
  const { data } = estimate;
  return (
    <>
      <div className="row between">
        <span className="t2">{what}</span>
        {data ? (
          <PriceTag nano={data.estimateNano} lowNano={data.lowNano} why={data.items[0]?.source} />
        ) : (
          <span className="t3">{estimate.error ? 'no price' : '–'}</span>
        )}
      </div>
      {data?.estimateNano === 0 && (
        <div className="row between t3">
          <span className="cut">No image price is listed</span>
          <a className="lnk" href="#/spend">
            Set your own
          </a>
        </div>
      )}
    </>
  );
}
