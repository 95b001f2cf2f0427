import type { Asset } from '../../../shared/asset.ts';
import { promptFound } from '../../../shared/provenance.ts';
import { navigate, useCall } from '../../app/index.ts';
import { Button, Section } from '../../ui/index.ts';

/** What a file that came from elsewhere says of how it was made. Nothing of it is verified; it is words to begin with. */
export function Found({ asset }: { asset: Asset }) {
  const isForeign = asset.jobId === undefined && asset.state === 'local';
  const { data } = useCall('library.found', isForeign ? { id: asset.id } : null);
  const prompt = data && promptFound(data);
  if (!data || (prompt === undefined && !data.c2pa)) return null;
  return (
    <Section title="Found in the file" end={<span className="t3">not verified</span>}>
      {prompt !== undefined && <p className="prompt">{prompt}</p>}
      {data.c2pa && <p className="t2">It carries content credentials (C2PA). They stay in the file as it came.</p>}
      {prompt !== undefined && asset.mime.startsWith('image/') && (
        <div className="row found-ways">
          <Button onClick={() => navigate('images', { asset: asset.id, recall: asset.id })}>Recall</Button>
          <span className="t3">Fills the prompt in Images; nothing is sent.</span>
        </div>
      )}
    </Section>
  );
}
