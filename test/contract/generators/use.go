// Uses the Go clients that openapi-generator makes of the three kinds of document, against a running server.
package main

import (
	"context"
	"fmt"
	"os"

	admin "example.com/colophon/admin"
	cma "example.com/colophon/cma"
	routes "example.com/colophon/routes"
)

func main() {
	url, token := os.Args[1], os.Args[2]
	useContents(url, token)
	useAdmin(url, token)
	useRoutes(url)
}

func useContents(url, token string) {
	configuration := cma.NewConfiguration()
	configuration.Servers = cma.ServerConfigurations{{URL: url}}
	contents := cma.NewAPIClient(configuration).AssetsAPI
	ctx := context.WithValue(context.Background(), cma.ContextAccessToken, token)

	level := cma.NewLevelCreate("com.example.awkward.Level", "From Go", cma.KIND_Kind_default)
	created, _, err := contents.CreateAsset(ctx).AssetCreate(cma.LevelCreateAsAssetCreate(level)).Execute()
	check(err)
	id := created.Result.Level.AssetId
	change := cma.NewLevelUpdate()
	change.SetType(cma.KIND_Kind_Client)
	updated, _, err := contents.UpdateAsset(ctx, id).AssetUpdate(cma.AssetUpdate{LevelUpdate: change}).Execute()
	check(err)
	found, _, err := contents.QueryAssets(ctx).From("com.example.awkward.Level").Where("_id = ?").Values([]string{id}).Execute()
	check(err)
	_, _, err = contents.DeleteAsset(ctx, id).Execute()
	check(err)
	fmt.Println("cma", updated.Result.Level.Name, updated.Result.Level.Type, len(found.Result.Items))
}

func useAdmin(url, token string) {
	configuration := admin.NewConfiguration()
	configuration.Servers = admin.ServerConfigurations{{URL: url}}
	ctx := context.WithValue(context.Background(), admin.ContextAccessToken, token)
	clients, _, err := admin.NewAPIClient(configuration).ApiClientsAPI.ListApiClients(ctx).Execute()
	check(err)
	fmt.Println("admin", clients.Items[len(clients.Items)-1].Name)
}

func useRoutes(url string) {
	configuration := routes.NewConfiguration()
	configuration.Servers = routes.ServerConfigurations{{URL: url}}
	named, _, err := routes.NewAPIClient(configuration).DefaultAPI.ByName(context.Background()).Name("Hello").Execute()
	check(err)
	level := named.Data.LevelList.Items[0]
	fmt.Println("routes", level.Name, level.Type)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
