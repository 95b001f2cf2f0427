import type { StudioRequest } from '../../../../shared/request.ts';
import { useCall } from '../../../app/index.ts';
import { NoPrice } from '../../../media/NoPrice.tsx';
import { PriceTag } from '../../../ui/index.ts';

/** What the button beside it would cost. The specification lists no price for a picture (spec 8): without one of the user's own it is not known. */
export function Estimate({ request, what }: { request: StudioRequest; what: string }) {
  const estimate = useCall('ledger.estimate', { requests: [request] }, { debounceMs: 200, on: ['profiles.changed'] });
  const { data } = estimate;
  return (
    <>
      <div className="row between">
        <span className="t2">{what}</span>
        {data ? (
          <PriceTag
            nano={data.estimateNano}
            lowNano={data.lowNano}
            unpriced={data.unpriced}
            why={data.items[0]?.source}
          />
        ) : (
          <span className="t3">{estimate.error ? 'no price' : '–'}</span>
        )}
      </div>
      {data && data.unpriced > 0 && <NoPrice kind="image" />}
    </>
  );
}
