// Uses the Java clients that openapi-generator makes of the three kinds of document, against a running server.
import cma.model.AssetCreateDto;
import cma.model.AssetUpdateDto;
import cma.model.KindDto;
import cma.model.LevelCreateDto;
import cma.model.LevelUpdateDto;
import java.util.List;

public class Use {
  public static void main(String[] words) throws Exception {
    useContents(words[0], words[1]);
    useAdmin(words[0], words[1]);
    useRoutes(words[0]);
    // The threads of the HTTP client stay for a minute.
    System.exit(0);
  }

  private static void useContents(String url, String token) throws Exception {
    var client = new cma.ApiClient().setBasePath(url);
    client.setBearerToken(token);
    var contents = new cma.api.AssetsApi(client);
    var level = new LevelCreateDto()
        .assetType(LevelCreateDto.AssetTypeEnum.COM_EXAMPLE_AWKWARD_LEVEL)
        .name("From Java")
        .type(KindDto.Kind_default);
    var created = contents.createAsset(new AssetCreateDto(level), null, null, null, null);
    var id = created.getResult().getLevelDto().getAssetId().toString();
    var change = new AssetUpdateDto(new LevelUpdateDto().type(KindDto.Kind_Client));
    var updated = contents.updateAsset(id, change, null, null, null, null, null, null).getResult().getLevelDto();
    var found = contents.queryAssets("com.example.awkward.Level", "_id = ?", List.of(id), null, null, null, null,
        null, null, null, null, null, null, null);
    contents.deleteAsset(id, null, null, null, null, null, null);
    System.out.println("cma " + updated.getName() + " " + updated.getType() + " " + found.getResult().getItems().size());
  }

  private static void useAdmin(String url, String token) throws Exception {
    var client = new admin.ApiClient().setBasePath(url);
    client.setBearerToken(token);
    var clients = new admin.api.ApiClientsApi(client).listApiClients().getItems();
    System.out.println("admin " + clients.get(clients.size() - 1).getName());
  }

  private static void useRoutes(String url) throws Exception {
    var routesApi = new routes.api.DefaultApi(new routes.ApiClient().setBasePath(url));
    var level = routesApi.byName("Hello", null, null).getData().getLevelList().getItems().get(0);
    System.out.println("routes " + level.getName() + " " + level.getType());
  }
}
