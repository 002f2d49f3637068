import { lazy, Suspense } from 'react';
import { ChatPage } from './chat/chat-page';
import { LandingPage } from './landing/landing-page';
import { useRoute, type Route } from './lib/router';
import { Frame } from './ui/frame';
import { Link } from './ui/link';
import { Empty, Loading } from './ui/states';

const RunsPage = lazy(() => import('./runs/runs-page'));
const SettingsPage = lazy(() => import('./settings/settings-page'));

const Missing = () => (
  <div className="px-8 py-10">
    <Empty title="There is no such page.">
      <Link href="/" className="text-accent underline underline-offset-3">
        To the first page
      </Link>
    </Empty>
  </div>
);

const Page = ({ route }: { route: Route }) => {
  switch (route.page) {
    case 'chat':
      return <ChatPage thread={route.thread} />;
    case 'runs':
      return <RunsPage run={route.run} />;
    case 'settings':
      return <SettingsPage />;
    default:
      return <Missing />;
  }
};

export const App = () => {
  const route = useRoute();
  if (route.page === 'landing') return <LandingPage />;
  return (
    <Frame>
      <Suspense
        fallback={
          <div className="px-8 py-6">
            <Loading label="Loading the page" />
          </div>
        }
      >
        <Page route={route} />
      </Suspense>
    </Frame>
  );
};
