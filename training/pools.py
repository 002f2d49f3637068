"""Plausible values for generated contents: names of people, places, firms and things, all invented or common words."""

FIRST = ("Anna Ben Clara David Elena Felix Grace Hugo Ines Jonas Karin Leo Maria Noah Olga Paul Quentin Rosa Simon Tara Umar Vera Will Xenia Yusuf Zoe "
         "Amara Bruno Chloe Diego Esther Farid Gita Henrik Ivana Jamal Keiko Lars Mei Nadia Omar Priya Rafael Sofia Tomas Ursula Victor Wanda Yara Zane "
         "James Linda Robert Susan Michael Karen Thomas Nancy Daniel Laura Kevin Emma Brian Olivia George Alice Edward Julia Frank Martha").split()
LAST = ("Smith Johnson Brown Miller Davis Wilson Anderson Taylor Moore Martin Lee Walker Hall Young King Wright Scott Green Baker Adams Nelson Carter "
        "Mueller Schmidt Weber Fischer Becker Rossi Ferrari Bianchi Dubois Laurent Moreau Garcia Lopez Torres Silva Santos Costa Novak Kowalski Nowak "
        "Tanaka Sato Suzuki Kim Park Chen Wang Singh Patel Khan Ahmed Haddad Okafor Mensah Diallo Ivanov Petrov Larsen Nilsen Berg Lindholm Virtanen").split()
CITIES = ("Berlin|Paris|London|Madrid|Rome|Vienna|Oslo|Lisbon|Dublin|Prague|Warsaw|Budapest|Athens|Zurich|Geneva|Hamburg|Munich|Lyon|Porto|Seville|"
          "New York|Chicago|Boston|Seattle|Denver|Austin|Miami|Toronto|Montreal|Vancouver|Tokyo|Osaka|Seoul|Mumbai|Delhi|Lagos|Nairobi|Cairo|"
          "Sao Paulo|Lima|Bogota|Sydney|Melbourne|Auckland|Singapore|Dubai|Istanbul|Krakow|Leeds|Bristol|Aberdeen|Houston|Portland|Salt Lake City").split("|")
COUNTRIES = ("Germany|France|Spain|Italy|Austria|Norway|Portugal|Ireland|Poland|Hungary|Greece|Switzerland|United States|Canada|Japan|South Korea|India|"
             "Nigeria|Kenya|Egypt|Brazil|Peru|Colombia|Australia|New Zealand|Turkey|United Kingdom|Sweden|Denmark|Finland|Netherlands|Belgium|Mexico|Chile").split("|")
NATIONALITIES = ("German|French|Spanish|Italian|Austrian|Norwegian|Portuguese|Irish|Polish|American|Canadian|Japanese|Indian|Brazilian|Mexican|Dutch|Swedish|Kenyan").split("|")
REGIONS = "North|South|East|West|Central|Bavaria|Texas|Ontario|Lombardy|Catalonia|California|Ohio|Normandy|Saxony|Tuscany|Scotland".split("|")
STREETS = "Oak Street|Main Street|Station Road|High Street|Park Avenue|Mill Lane|Church Road|River Walk|Garden Way|Hill Road|Lake Drive|Market Square".split("|")
ADJECTIVES = ("Silent Golden Hidden Broken Northern Bright Lost Crimson Distant Gentle Hollow Iron Little Midnight Open Quiet Red Silver Secret Wild Blue "
              "Early Final Ancient Burning Frozen Green Heavy Last Modern").split()
NOUNS = ("River Garden Mountain Harbor Forest Star Bridge Tower Valley Mirror Shadow Storm Island Engine Lantern Orchard Compass Falcon Meadow Horizon "
         "Letter Window Castle Desert Winter Summer Ocean Road Feather Crown Signal Voyage Machine Circle Anchor").split()
COMPANY_TAILS = ["Ltd", "Group", "Partners", "Industries", "Labs", "Trading", "Logistics", "Foods", "Systems", "Energy", "Bank", "Media"]
PRODUCTS = ("Desk Lamp|Office Chair|Coffee Maker|Running Shoes|Water Bottle|Backpack|Headphones|Keyboard|Notebook|Phone Case|Rain Jacket|Garden Hose|Toaster|"
            "Bicycle Helmet|Yoga Mat|Electric Kettle|Wool Scarf|Winter Coat|Table Tennis Set|Camping Tent|Laptop Stand|Wall Clock|Paint Brush|Cutting Board|"
            "Travel Mug|Monitor|Printer|Router|Desk|Bookshelf|Sofa|Mattress|Blender|Drill|Hammer|Ladder").split("|")
COLORS = "red|blue|green|black|white|yellow|grey|brown|orange|purple|silver|pink".split("|")
SUBJECTS = ("Mathematics|Physics|Chemistry|Biology|History|Geography|English|Economics|Computer Science|Philosophy|Music|Art|Law|Statistics|Linguistics|Sociology").split("|")
GENRES = "rock|jazz|classical|pop|folk|drama|comedy|thriller|documentary|fantasy|romance|horror|science fiction|mystery|blues".split("|")
JOBS = ("engineer|analyst|manager|nurse|teacher|driver|designer|accountant|technician|clerk|director|developer|consultant|surgeon|pilot|chef|librarian").split("|")
STATUSES = "open|closed|pending|active|cancelled|completed|shipped|approved|rejected|delayed".split("|")
WORDS = ("alpha beta gamma delta amber cobalt cedar maple birch willow falcon robin otter badger granite marble velvet cotton copper nickel quartz onyx "
         "saffron pepper ginger basil mint clover lotus orchid tulip daisy").split()
SPORTS_TEAMS = "Lions|Falcons|Rovers|United|Wanderers|Tigers|Sharks|Comets|Eagles|Wolves|Bears|Rangers".split("|")
LANGUAGES = "English|French|Spanish|German|Italian|Japanese|Portuguese|Arabic|Hindi|Mandarin|Swedish|Polish".split("|")
